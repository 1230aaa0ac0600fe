import { type GroupRecord, isTerminated } from '../runs/group-record.js'
import { groupTaken, launchFailed, type SchedulerState } from '../runs/verdicts.js'

/**
 * What the state of a job of many groups means for one of them. A failure of the job belongs only to groups that ran at that
 * moment: one that had ended stays as it is, and one that was not reached has not failed.
 * @param job the answer of the queue about the job; null if it was not polled or did not answer
 * @param record the last record of the group
 */
export function stateInPack(job: SchedulerState | null, record: GroupRecord | null): SchedulerState | null {
  if (record !== null && hasEnded(record)) return endOf(record)
  if (job === null) return null
  if (record === null) return stateUnreached(job)
  switch (job.kind) {
    case 'running':
      // The job was started again, and this start has not come to the group.
      if (record.restarts < job.restarts) return { kind: 'pending', restarts: job.restarts }
      return { ...job, restarts: record.restarts }
    case 'ended': {
      const { used: _, ...end } = job
      // A job that has come to its end by itself has recorded the ends of all its groups, unless somebody removed them.
      const isWhole = ['finished', 'exit'].includes(job.outcome) && record.kind === 'start'
      return isWhole ? { kind: 'gone' } : end
    }
    default:
      return job
  }
}

/** Whether a group has come to an end for which its job does not matter. */
function hasEnded(record: GroupRecord): boolean {
  return record.kind === 'end' && record.outcome !== 'stopped' && !isTerminated(record)
}

function endOf({ started, host, jobId }: GroupRecord): SchedulerState {
  const unknown = { exitCode: null, signal: null, finished: null }
  return { kind: 'ended', outcome: 'finished', ...unknown, started, host, jobId }
}

/** A group that no worker of the job has taken. */
function stateUnreached(job: SchedulerState): SchedulerState {
  switch (job.kind) {
    case 'running':
    case 'completing':
      return { kind: 'pending', restarts: 0 }
    case 'pending':
    case 'held':
      return { ...job, restarts: 0 }
    case 'ended':
      return isOwnEnd(job) ? { kind: 'unreached' } : job
    default:
      return job
  }
}

/** Whether a job has ended for a reason that concerns only groups that it had begun. */
function isOwnEnd({ outcome, exitCode }: Extract<SchedulerState, { kind: 'ended' }>): boolean {
  // It was cancelled as a whole, could not start, or waited too long.
  if (['cancelled', 'launch', 'deadline'].includes(outcome)) return false
  return !(outcome === 'exit' && (exitCode === launchFailed || exitCode === groupTaken))
}
