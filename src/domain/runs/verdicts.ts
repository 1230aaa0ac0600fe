import { type GroupRecord, isTerminated } from './group-record.js'
import type { FailureCause, Usage } from './run.js'

/** Exit code of a job that could not reach the files of its group, and so recorded nothing. */
export const launchFailed = 125
/** Exit code of a job whose group was claimed by another job. */
export const groupTaken = 123

/** The answer of the queue (or, on this machine, of the process list) about a group. Times: milliseconds since the epoch. */
export type SchedulerState =
  | { readonly kind: 'pending'; readonly restarts: number }
  | { readonly kind: 'held'; readonly restarts: number; readonly reason: string | null }
  | ({
      readonly kind: 'running'
      readonly restarts: number
      readonly started: number
      readonly suspended?: true
    } & Place)
  /**
   * The processes of a start are being ended, or have ended: only the journal knows. If they are ended for a requeue,
   * `restarts` already counts the next start.
   */
  | { readonly kind: 'completing'; readonly restarts: number }
  | ({
      readonly kind: 'ended'
      /** `exit`: it ended on its own with this code or signal. */
      readonly outcome: 'finished' | 'cancelled' | FailureCause
      readonly exitCode: number | null
      readonly signal: string | null
      readonly started: number | null
      readonly finished: number | null
      readonly used?: Usage
    } & Place)
  /**
   * The queue has answered and does not know the group, or no longer. `mayHaveBegun`: somebody has removed files of the launch, and so
   * a missing record tells nothing.
   */
  | { readonly kind: 'gone'; readonly mayHaveBegun?: true }
  /** The same, but the queue would know it if it had ever started: it was removed while it was pending. */
  | { readonly kind: 'removed' }
  /** What was to start the group has ended before it got so far; something else can start it. */
  | { readonly kind: 'unattended' }
  /** The group was never submitted, and the program that was launching it has died. */
  | { readonly kind: 'unsubmitted' }

interface Place {
  readonly host: string | null
  readonly jobId: string | null
}

/**
 * The kind of the queue's answer. `forced`: the scheduler ended the group; `timeout`: it did so at the time limit;
 * `ended`: the group ended on its own.
 */
export type StateKind =
  | 'silent'
  | 'pending'
  | 'held'
  | 'running'
  | 'completing'
  | 'finished'
  | 'ended'
  | 'cancelled'
  | 'forced'
  | 'timeout'
  | 'gone'
  | 'removed'
  | 'unattended'
  | 'unsubmitted'

/** The kind of the last record. `signalled`: the group ended after it was told to, and may have been requeued since. */
export type RecordKind = 'none' | 'started' | 'ended' | 'signalled'

/**
 * What an answer and a record mean together.
 * - `keep`: nothing changes
 * - `pending`, `held`, `running`, `cancelled`: that state
 * - `begin`: a pending group now runs, and a running one gets its start, according to its journal; any other keeps its state
 * - `record`, `queue`: the end according to the record or to the queue is final
 * - `record, open`, `queue, open`: the same, but the other witness may still correct it until the grace is over
 * - `earlier`: the one that ended first is final. A scheduler that was down counts the time of a job until it hears of
 *   its end, and so may report a timeout too late
 * - `cancelled, open`: a group that was never seen to run is cancelled, until the grace is over; for any other, `wait`
 * - `wait`: nothing changes until the grace is over; then the group is lost, or in the state that its record says
 * - `pending unless cancelled`: it waits until something else starts it, unless its attempt was cancelled
 * - `lost`: it never started
 */
export type Verdict =
  | 'keep'
  | 'pending'
  | 'held'
  | 'running'
  | 'cancelled'
  | 'begin'
  | 'record'
  | 'queue'
  | 'record, open'
  | 'queue, open'
  | 'earlier'
  | 'cancelled, open'
  | 'wait'
  | 'pending unless cancelled'
  | 'lost'

/**
 * The decision table. The queue knows where a group is and why it was ended from outside; the journal knows how its
 * script ended. If the queue does not answer, the state stays.
 */
export const verdicts: Readonly<Record<StateKind, Readonly<Record<RecordKind, Verdict>>>> = {
  silent: { none: 'keep', started: 'begin', ended: 'record, open', signalled: 'keep' },
  pending: { none: 'pending', started: 'running', ended: 'record, open', signalled: 'pending' },
  held: { none: 'held', started: 'held', ended: 'held', signalled: 'held' },
  running: { none: 'running', started: 'running', ended: 'record, open', signalled: 'running' },
  completing: { none: 'keep', started: 'running', ended: 'record, open', signalled: 'wait' },
  finished: { none: 'queue, open', started: 'queue, open', ended: 'record', signalled: 'record' },
  ended: { none: 'queue, open', started: 'queue, open', ended: 'record', signalled: 'record' },
  cancelled: { none: 'cancelled', started: 'cancelled', ended: 'record', signalled: 'cancelled' },
  forced: { none: 'queue', started: 'queue', ended: 'queue', signalled: 'queue' },
  timeout: { none: 'queue, open', started: 'queue, open', ended: 'earlier', signalled: 'queue' },
  gone: { none: 'wait', started: 'wait', ended: 'record, open', signalled: 'wait' },
  removed: { none: 'cancelled, open', started: 'wait', ended: 'record, open', signalled: 'wait' },
  unattended: { none: 'pending unless cancelled', started: 'begin', ended: 'record', signalled: 'record' },
  unsubmitted: { none: 'lost', started: 'begin', ended: 'record', signalled: 'record' },
}

/** Ends that are caused by a scheduler. */
export const forcedOutcomes: readonly string[] = ['oom', 'timeout', 'node_fail', 'preempted', 'deadline', 'launch']

/** The row of the table for an answer of the queue. */
export function stateKind(job: SchedulerState | null): StateKind {
  if (job === null) return 'silent'
  if (job.kind !== 'ended') return job.kind
  if (job.outcome === 'finished' || job.outcome === 'cancelled' || job.outcome === 'timeout') return job.outcome
  if (forcedOutcomes.includes(job.outcome)) return 'forced'
  // This job has not touched the group, so its end tells nothing about it.
  return job.outcome === 'exit' && job.exitCode === groupTaken ? 'gone' : 'ended'
}

/** The column of the table for a record. */
export function recordKind(record: GroupRecord | null): RecordKind {
  if (record === null) return 'none'
  if (record.kind === 'start') return 'started'
  const endedByItself =
    record.outcome === 'exit' ? !isTerminated(record) : ['incomplete', 'launch', 'skipped'].includes(record.outcome)
  return endedByItself ? 'ended' : 'signalled'
}
