import { jobsAtATime } from '../../domain/packs/pack.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { quoteWords } from '../../domain/text/shell-text.js'
import { slurmLogs } from '../../runfolder/layout.js'
import type { SingleJobParts } from '../outside-runs.js'
import { markOf } from '../scheduler/locate.js'
import { commonFiles, type PackedJobs, packedJobs, startScript } from '../scheduler/start-script.js'
import type { Limits, Prepared, PreparedSubmission } from '../types.js'
import type { SlurmOptions } from './options.js'

/** Placeholder for the ids of the earlier jobs of a launch, in the command of a job that depends on them. */
export const earlierJobs = 'EARLIER_JOBS'

/** The files of a run and the commands that submit it: one array, or several if it is too large for one. */
export function prepareSlurm(plan: RunPlan, options: SlurmOptions, limits: Limits): Prepared<SlurmOptions> {
  const packed = packedJobs(plan, limits.longest)
  const submissions = submissionsOf(plan, options, limits, packed)
  return {
    plan,
    options,
    limits,
    files: [
      { path: `${launchFolder(plan.attempt)}/slurm.sh`, text: [slurmScript(plan, packed)], access: 'executable' },
      ...commonFiles(plan, packed),
    ],
    submissions,
  }
}

/** Absolute path of the script of an attempt, as jobs see it. */
export function scriptOf({ place, attempt }: Pick<RunPlan, 'place' | 'attempt'>): string {
  return `${place.there}/${launchFolder(attempt)}/slurm.sh`
}

function slurmScript(plan: RunPlan, packed: PackedJobs | null): string {
  return startScript(
    plan,
    `place=$((SLURM_ARRAY_TASK_ID + $1))${packed ? '\ngeneration=${2:-0}' : ''}
job=\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
node=\${SLURMD_NODENAME:-$(uname -n)}`,
    'restarts=${SLURM_RESTART_COUNT:-0}',
    packed,
  )
}

/** Task numbers begin at 0 in each array; its script gets the number of its first job among those of the launch. */
function submissionsOf(
  plan: RunPlan,
  options: SlurmOptions,
  { groupsPerSubmission: most }: Limits,
  packed: PackedJobs | null,
): PreparedSubmission[] {
  const total = launchedCount(plan)
  const size = packed?.pack.groups ?? 1
  const jobs = Math.ceil(total / size)
  const slots = packed ? jobsAtATime(packed.pack, plan.slots) : plan.slots
  const words = packed ? options.wordsFor(packed.resources) : options.words
  const script = scriptOf(plan)
  const submissions: PreparedSubmission[] = []
  for (let job = 0; job < jobs; job += most) {
    const tasks = Math.min(most, jobs - job)
    const first = job * size
    const isLimited = slots !== null && slots < jobs
    // A limit applies to one array only: each array has to wait for all others, of which some may be cancelled.
    const ahead = isLimited && job > 0 ? [...plan.jobsAhead, earlierJobs] : plan.jobsAhead
    const chain = ahead.length > 0 ? `afterany:${ahead.join(':')}` : null
    const dependencies = [chain, options.dependency].filter(dependency => dependency !== null)
    const waits = dependencies.length > 0 ? [`--dependency=${dependencies.join(',')}`] : []
    const array = `--array=0-${tasks - 1}${isLimited ? `%${slots}` : ''}`
    const command = [...sbatch(plan, { ...options, words }, [array, ...waits]), script, String(job)]
    submissions.push({ first, count: Math.min(tasks * size, total - first), command, ...(packed && { pack: size }) })
  }
  return submissions
}

/**
 * The command that submits some jobs of an array again: the script gets their generation, too. What the first command waited for is
 * over.
 */
export function laterCommand(command: readonly string[], jobs: readonly number[], generation: number): string[] {
  const words = command.flatMap(word => {
    if (word.startsWith('--dependency=')) return []
    const limit = /^--array=[\d-]+(%\d+)?$/.exec(word)
    return [limit ? `--array=${jobs.join(',')}${limit[1] ?? ''}` : word]
  })
  return [...words, String(generation)]
}

/** All options are on the command line, which overrides the variables SBATCH_… of the user and of the site. */
function sbatch(plan: RunPlan, { words, output }: SlurmOptions, own: readonly string[]): string[] {
  const log = `--output=${plan.place.there.replaceAll('%', '%%')}/${slurmLogs}/%A_%a.log`
  return [
    'sbatch',
    '--parsable',
    `--job-name=${plan.jobName}`,
    `--comment=${markOf(plan)}`,
    ...own,
    '--open-mode=append',
    ...(output === null ? [log] : []),
    ...words,
  ]
}

/** Lines about a job that is no group: see `SingleJob`. */
export function singleSlurm({ name, script, log }: SingleJobParts, { words, dependency }: SlurmOptions) {
  const file = log.replaceAll('%', '%%')
  const own = [`--output=${file}`, `--error=${file}`, '--open-mode=append', `--job-name=${name}`]
  const after = dependency === null ? [] : [`--dependency=${dependency}`]
  return {
    submit: `${quoteWords(['sbatch', '--parsable', ...words, ...after, ...own, script])} | sed -n 's/^\\([0-9][0-9]*\\)\\(;.*\\)*$/\\1/p'`,
    look: `said=$(squeue --noheader --format=%T --jobs="$id" 2>&1) || case $said in *'nvalid job id'*) said= ;; *) said=unknown ;; esac
printf '%s' "$said"`,
    explain: `scontrol --oneliner show job "$id" 2>/dev/null | tr ' ' '\\n' | grep -E '^(JobState|Reason|ExitCode)=' | tr '\\n' ' '`,
    cancel: 'scancel "$id"',
  }
}
