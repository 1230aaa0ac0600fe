import { signalName } from '../../domain/runs/group-record.js'
import { spanOf } from '../../domain/runs/launch.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { markOf } from '../scheduler/locate.js'
import type { JobHandle } from '../types.js'

const attributes = [
  'ClusterId',
  'ProcId',
  'JobStatus',
  'HoldReason',
  'NumJobStarts',
  'EnteredCurrentStatus',
  'JobStartDate',
  'CompletionDate',
  'ExitCode',
  'ExitBySignal',
  'ExitSignal',
  'RemoveReason',
  'LastRemoteHost',
  'RemoteHost',
  'QanatToken',
] as const

/** A job from condor_q or condor_history. Times are seconds since the epoch. */
type JobAd = Partial<Record<(typeof attributes)[number], string | number | boolean>>

/** Options of condor_q and condor_history for the output that {@link parseJobs} reads, of these clusters only. */
export function jobWords(clusters: readonly string[]): string[] {
  const constraint = clusters.map(cluster => `ClusterId == ${cluster}`).join(' || ')
  return ['-json', '-attributes', attributes.join(','), '-constraint', constraint]
}

/** The number of a job of a submission in its cluster. @param task its number in the span of the submission */
export function procOf(handle: JobHandle, task: number): number {
  return spanOf(handle).jobs?.indexOf(task) ?? task
}

/** The id of a job, `cluster.proc`. */
export function jobIdOf(handle: JobHandle, task: number): string {
  return `${handle.id}.${procOf(handle, task)}`
}

/** An expression that is true only for the jobs of a submission: a schedd that has lost its queue gives ids again. */
export function constraintOf(handle: JobHandle): string {
  return `(ClusterId == ${handle.id} && QanatToken == "${markOf(handle)}")`
}

/**
 * Parses jobs by `cluster.proc`, without those of other runs.
 * @param isQueue whether they are in the queue: a removed job stays there until its processes have ended
 * @returns null for an output that cannot be parsed; an empty output means no jobs
 */
export function parseJobs(
  output: string,
  tokens: ReadonlySet<string>,
  isQueue: boolean,
): Map<string, SchedulerState> | null {
  try {
    const ads = (output.trim() === '' ? [] : JSON.parse(output)) as JobAd[]
    if (!Array.isArray(ads)) return null
    const jobs = new Map<string, SchedulerState>()
    for (const ad of ads) {
      const state = tokens.has(String(ad.QanatToken)) ? stateOfAd(ad, isQueue) : null
      if (state) jobs.set(`${ad.ClusterId}.${ad.ProcId}`, state)
    }
    return jobs
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** JobStatus (HTCondor's manual): 1 idle, 2 running, 3 removed, 4 completed, 5 held, 6 transferring, 7 suspended. */
function stateOfAd(ad: JobAd, isQueue: boolean): SchedulerState | null {
  const jobId = `${ad.ClusterId}.${ad.ProcId}`
  // As in the job script, see submission.ts; it increases some seconds after a start.
  const restarts = Math.max(0, Number(ad.NumJobStarts ?? 0) - Number(ad.JobStatus !== 1 && ad.JobStatus !== 5))
  const started = seconds(ad.JobStartDate)
  const host = hostOf(ad.RemoteHost ?? ad.LastRemoteHost)
  const end = { exitCode: null, signal: null, started, finished: seconds(ad.EnteredCurrentStatus), host, jobId }
  switch (ad.JobStatus) {
    case 1:
      return { kind: 'pending', restarts }
    case 2:
    case 6:
    case 7: {
      const since = started ?? seconds(ad.EnteredCurrentStatus) ?? 0
      return { kind: 'running', restarts, started: since, host, jobId, ...(ad.JobStatus === 7 && { suspended: true }) }
    }
    case 3: {
      if (isQueue) return { kind: 'completing', restarts }
      const outcome = String(ad.RemoveReason).includes('QanatTimeLimit') ? 'timeout' : 'cancelled'
      return { kind: 'ended', ...end, outcome }
    }
    case 4: {
      if (ad.ExitBySignal)
        return { kind: 'ended', ...end, outcome: 'signal', signal: signalName(Number(ad.ExitSignal)) }
      const exitCode = Number(ad.ExitCode)
      return { kind: 'ended', ...end, outcome: exitCode === 0 ? 'finished' : 'exit', exitCode }
    }
    case 5:
      return { kind: 'held', restarts, reason: ad.HoldReason === undefined ? null : String(ad.HoldReason) }
    default:
      return null
  }
}

function seconds(value: string | number | boolean | undefined): number | null {
  return typeof value === 'number' && value > 0 ? 1000 * value : null
}

/** `slot1_1@node`. */
function hostOf(value: string | number | boolean | undefined): string | null {
  return typeof value === 'string' ? value.replace(/^.*@/, '') : null
}
