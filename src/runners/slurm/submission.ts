import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { slurmLogs } from '../../runfolder/layout.js'
import { markOf } from '../scheduler/locate.js'
import { commonFiles, startScript } from '../scheduler/start-script.js'
import type { Limits, Prepared, PreparedSubmission } from '../types.js'
import type { SlurmOptions } from './options.js'

/** Placeholder for the ids of the earlier jobs of a launch, in the command of a job that depends on them. */
export const earlierJobs = 'EARLIER_JOBS'

/** The files of a run and the commands that submit it: one array, or several if it is too large for one. */
export function prepareSlurm(plan: RunPlan, options: SlurmOptions, limits: Limits): Prepared<SlurmOptions> {
  const submissions = submissionsOf(plan, options, limits)
  return {
    plan,
    options,
    limits,
    files: [
      { path: `${launchFolder(plan.attempt)}/slurm.sh`, text: [slurmScript(plan)], access: 'executable' },
      ...commonFiles(plan),
    ],
    submissions,
  }
}

/** Absolute path of the script of an attempt, as jobs see it. */
export function scriptOf({ place, attempt }: Pick<RunPlan, 'place' | 'attempt'>): string {
  return `${place.there}/${launchFolder(attempt)}/slurm.sh`
}

function slurmScript(plan: RunPlan): string {
  return startScript(
    plan,
    `place=$((SLURM_ARRAY_TASK_ID + $1))
job=\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
node=\${SLURMD_NODENAME:-$(uname -n)}`,
    'restarts=${SLURM_RESTART_COUNT:-0}',
  )
}

/** Task numbers begin at 0 in each array; its script gets the position of its first group. */
function submissionsOf(plan: RunPlan, options: SlurmOptions, limits: Limits): PreparedSubmission[] {
  const { slots } = plan
  const total = launchedCount(plan)
  const script = scriptOf(plan)
  const submissions: PreparedSubmission[] = []
  for (let first = 0; first < total; first += limits.groupsPerSubmission) {
    const count = Math.min(limits.groupsPerSubmission, total - first)
    const isLimited = slots !== null && slots < total
    // A limit applies to one array only: each array has to wait for all others, of which some may be cancelled.
    const ahead = isLimited && first > 0 ? [...plan.jobsAhead, earlierJobs] : plan.jobsAhead
    const chain = ahead.length > 0 ? `afterany:${ahead.join(':')}` : null
    const dependencies = [chain, options.dependency].filter(dependency => dependency !== null)
    const waits = dependencies.length > 0 ? [`--dependency=${dependencies.join(',')}`] : []
    const command = sbatch(plan, options, [`--array=0-${count - 1}${isLimited ? `%${slots}` : ''}`, ...waits])
    submissions.push({ first, count, command: [...command, script, String(first)] })
  }
  return submissions
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
