import { jobsAtATime } from '../../domain/packs/pack.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { quoteWords } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import { submittedText } from '../../runfolder/evidence/submissions.js'
import { condorErrors, eventLog } from '../../runfolder/layout.js'
import type { Entry } from '../../system/folders/entries.js'
import type { SingleJobParts } from '../outside-runs.js'
import { markOf } from '../scheduler/locate.js'
import { commonFiles, type PackedJobs, packedJobs, startScript } from '../scheduler/start-script.js'
import type { JobHandle, Limits, Prepared } from '../types.js'
import { type CondorOptions, resourceCommands } from './options.js'

/** The largest max_materialize: how many jobs of a submission the schedd makes at a time. 20,000 is its default limit. */
const mostJobs = 20_000

/** The files of a run, and the command that submits it as one cluster of jobs. */
export function prepareCondor(plan: RunPlan, options: CondorOptions, limits: Limits): Prepared<CondorOptions> {
  const packed = packedJobs(plan)
  const folder = launchFolder(plan.attempt)
  const command = ['condor_submit', '-terse', `${plan.place.there}/${folder}/htcondor.sub`]
  const pack = packed && { pack: packed.pack.groups }
  const submissions = [{ first: 0, count: launchedCount(plan), command, ...pack }]
  return {
    plan,
    options,
    limits,
    files: [
      { path: `${folder}/htcondor.sub`, text: [submitFile(plan, options, packed)] },
      { path: `${folder}/htcondor.sh`, text: [condorScript(plan, packed)], access: 'executable' },
      ...commonFiles(plan, packed),
    ],
    submissions,
  }
}

/**
 * The job's ClassAd says how often it was started before. A schedd that was killed may have lost a start that is in the
 * journal. NumShadowStarts also counts each time that a schedd finds a job again which continued while it was away.
 */
function condorScript(plan: RunPlan, packed: PackedJobs | null): string {
  // Each start of a job with several groups has a folder.
  const recorded = packed
    ? 'set -- "$launch/pool/$first/$generation".*\nrecorded=0\n[ ! -e "$1" ] || recorded=$#'
    : `recorded=$(grep -c '^1 start ' "$journal" 2>/dev/null)`
  return startScript(
    plan,
    `job=$1
place=$2${packed ? '\ngeneration=${3:-0}' : ''}
node=$(uname -n)`,
    `restarts=$(sed -n 's/^NumJobStarts = //p' "$_CONDOR_JOB_AD" 2>/dev/null)
${recorded}
[ "\${recorded:-0}" -le "\${restarts:=0}" ] || restarts=$recorded`,
    packed,
  )
}

/** The submit file. The job gets only numbers, and reads its arguments from the plan. */
function submitFile(plan: RunPlan, options: CondorOptions, packed: PackedJobs | null): string {
  const commands = packed ? { ...options.commands, ...resourceCommands(packed.resources) } : options.commands
  const run = literal(plan.place.there)
  const total = Math.ceil(launchedCount(plan) / (packed?.pack.groups ?? 1))
  const slots = packed ? jobsAtATime(packed.pack, plan.slots) : plan.slots
  const most = Math.min(slots ?? total, mostJobs)
  const own = {
    executable: `${run}/${launchFolder(plan.attempt)}/htcondor.sh`,
    arguments: '"$(Cluster).$(Process) $(Process)"',
    batch_name: plan.jobName,
    '+QanatToken': `"${markOf(plan)}"`,
    log: `${run}/${eventLog(plan.attempt)}`,
    error: `${run}/${condorErrors(plan.groupCount)}/$(Cluster).$(Process).err`,
    initialdir: literal(plan.projectRoot),
    // The script works in the shared folder; no files are transferred back from the node.
    should_transfer_files: 'YES',
    transfer_output_files: '',
    ...(most < total && { max_materialize: String(most) }),
  }
  const lower = new Set(Object.keys(commands).map(name => name.toLowerCase()))
  const defaults = Object.entries(own).filter(([name]) => !lower.has(name.toLowerCase()))
  const lines = [...defaults, ...Object.entries(commands)].map(([name, value]) => `${name} = ${value}`.trimEnd())
  return `# Run ${plan.runId} of ${plan.experiment}.\n${lines.join('\n')}\nqueue ${total}\n`
}

/** The submit file for jobs that are submitted again: that of the first time, for these jobs alone. */
export function laterFile({ place, attempt, runId }: JobHandle, jobs: readonly number[], generation: number): Entry {
  const folder = launchFolder(attempt)
  const text = submittedText(place.here, `${folder}/htcondor.sub`)
  if (text === null)
    throw new OperationError(`the submit file of run ${runId} is gone`, 'cancel the run, then retry it')
  const again = text
    .replace('"$(Cluster).$(Process) $(Process)"', () => `"$(Cluster).$(Process) $(place) ${generation}"`)
    .replace(/^queue \d+$/m, () => `queue place in (${jobs.join(', ')})`)
  return { path: `${folder}/htcondor_${generation}.sub`, text: [again] }
}

/** Escapes dollar signs, which begin macros in a submit file. */
function literal(path: string): string {
  return path.replaceAll('$', '$(DOLLAR)')
}

/** Lines about a job that is no group: see `SingleJob`. One that is held does not go on by itself. */
export function singleCondor({ name, script }: SingleJobParts, { commands }: CondorOptions) {
  const own = {
    executable: literal(script),
    batch_name: name,
    should_transfer_files: 'YES',
    transfer_output_files: '',
  }
  const lines = Object.entries({ ...commands, ...own }).map(([name, value]) => `${name} = ${value}`.trimEnd())
  return {
    submit: `printf '%s\\n' ${quoteWords([...lines, 'queue'])} | condor_submit -terse - | sed -n 's/^\\([0-9][0-9]*\\)[.].*/\\1/p'`,
    look: `said=$(condor_q "$id" -af JobStatus 2>&1) || said=unknown
[ "$said" = 5 ] || printf '%s' "$said"`,
    explain: 'condor_q "$id" -af HoldReason 2>/dev/null',
    cancel: 'condor_rm "$id"',
  }
}
