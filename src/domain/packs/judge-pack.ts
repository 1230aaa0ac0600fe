import { type GroupRecord, hasEndedByItself } from '../runs/group-record.js'
import { groupTaken, launchFailed, type SchedulerState } from '../runs/verdicts.js'

/** What the journals tell of a job. */
export interface PackedJob {
  /** Whether a group has come to its end in it. */
  readonly hasEnded: boolean
  /** Whether the job has said that it takes no further group. */
  readonly isOver: boolean
  /** Whether its attempt was cancelled. */
  readonly isCancelled: boolean
}

/**
 * What the state of a job of many groups means for one of them. A failure of the job belongs only to groups that ran at that
 * moment: one that had ended stays as it is, and one that was not reached has not failed.
 * @param job the answer of the queue about the job; null if it was not polled or did not answer
 * @param record the last record of the group
 * @param told what the journals tell of the job
 */
export function stateInPack(
  job: SchedulerState | null,
  record: GroupRecord | null,
  told: PackedJob,
): SchedulerState | null {
  if (record !== null && hasEndedByItself(record)) return endOf(record)
  if (job === null) return null
  if (record === null) return stateUnreached(job, told)
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

function endOf({ started, host, jobId }: GroupRecord): SchedulerState {
  const unknown = { exitCode: null, signal: null, finished: null }
  return { kind: 'ended', outcome: 'finished', ...unknown, started, host, jobId }
}

/** A group that no worker of the job has taken: a later job takes it, unless the next one would come no further. */
function stateUnreached(job: SchedulerState, told: PackedJob): SchedulerState {
  if (job.kind === 'running' || job.kind === 'completing') return { kind: 'pending', restarts: 0 }
  if (job.kind === 'pending' || job.kind === 'held') return { ...job, restarts: 0 }
  if (!leavesGroups(job, told)) return job
  if (told.isCancelled) return cancelled
  if (told.hasEnded) return { kind: 'pending', restarts: 0 }
  const how = job.kind === 'ended' ? job.outcome : 'gone'
  return { kind: 'held', restarts: 0, reason: `${stopReason} (${how})` }
}

/** Why no later job is submitted by itself. */
export const stopReason = 'its job was over before any of its groups had ended'

const cancelled: SchedulerState = {
  ...{ kind: 'ended', outcome: 'cancelled', exitCode: null, signal: null },
  ...{ started: null, finished: null, host: null, jobId: null },
}

/** Whether a job is over for a reason that concerns only the groups that it had begun. */
export function leavesGroups(job: SchedulerState, { hasEnded, isOver }: PackedJob): boolean {
  if (job.kind !== 'ended') return job.kind === 'gone' && isOver
  // It was cancelled as a whole, could not start, or waited too long.
  if (['cancelled', 'launch', 'deadline'].includes(job.outcome)) return false
  if (job.outcome !== 'exit') return true
  return hasEnded && job.exitCode !== launchFailed && job.exitCode !== groupTaken
}
