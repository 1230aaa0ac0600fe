import type { GroupRecord } from './group-record.js'
import type { FailureCause } from './run.js'

/** Exit code of a job that could not reach its group, and hence recorded nothing. */
export const launchFailed = 125
/** Exit code of a job that finds that its group belongs to another job. */
export const groupTaken = 123

/** What the queue (or, on this machine, the list of processes) says of one group. Times are milliseconds since the epoch. */
export type QueueWord =
  | { readonly kind: 'pending'; readonly restarts: number }
  | { readonly kind: 'held'; readonly restarts: number; readonly reason: string | null }
  | ({
      readonly kind: 'running'
      readonly restarts: number
      readonly started: number
      readonly suspended?: true
    } & Place)
  | ({
      readonly kind: 'ended'
      /** `exit`: it ended by itself with the code or signal that is given. */
      readonly outcome: 'finished' | 'cancelled' | FailureCause
      readonly exitCode: number | null
      readonly signal: string | null
      readonly started: number | null
      readonly finished: number | null
    } & Place)
  /** The queue has answered and does not know the group (any more). */
  | { readonly kind: 'gone' }
  /** The same, but the queue would know it if it had ever started: it was taken out while it was pending. */
  | { readonly kind: 'removed' }
  /** The group was never submitted, and the program that should have done it has died. */
  | { readonly kind: 'unsubmitted' }

interface Place {
  readonly host: string | null
  readonly jobId: string | null
}

/**
 * What the word of the queue amounts to. `forced`: the scheduler ended the group, `timeout`: it did at the time limit,
 * `ended`: the group ended by itself.
 */
export type WordKind =
  | 'silent'
  | 'pending'
  | 'held'
  | 'running'
  | 'finished'
  | 'ended'
  | 'cancelled'
  | 'forced'
  | 'timeout'
  | 'gone'
  | 'removed'
  | 'unsubmitted'

/** What the journal tells. `told`: the group was told to end before it did, and may have been requeued since. */
export type RecordKind = 'none' | 'started' | 'ended' | 'told'

/**
 * What the two together mean.
 * - `keep`: nothing changes
 * - `pending`, `held`, `running`, `cancelled`: that state
 * - `begin`: a pending group runs, as its journal says; any other stays as it is
 * - `record`, `word`: the end that this witness tells is certain
 * - `record, open`, `word, open`: the same, but the other witness may still correct it until the grace is over
 * - `earlier`: the record is certain where it ends before the word does, else the word: a scheduler that was away counts on
 *   until it hears of an end
 * - `cancelled, open`: cancelled for a group that was never seen to run, until the grace is over; `wait` for any other
 * - `wait`: nothing changes until the grace is over; then the group is lost, or what its record says
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
  | 'word'
  | 'record, open'
  | 'word, open'
  | 'earlier'
  | 'cancelled, open'
  | 'wait'
  | 'lost'

/**
 * The decision table. The queue knows where a group is and why it was ended from outside, the journal how its script ended;
 * no answer changes nothing.
 */
export const verdicts: Readonly<Record<WordKind, Readonly<Record<RecordKind, Verdict>>>> = {
  silent: { none: 'keep', started: 'begin', ended: 'record, open', told: 'keep' },
  pending: { none: 'pending', started: 'running', ended: 'record, open', told: 'pending' },
  held: { none: 'held', started: 'held', ended: 'held', told: 'held' },
  running: { none: 'running', started: 'running', ended: 'record, open', told: 'running' },
  finished: { none: 'word, open', started: 'word, open', ended: 'record', told: 'record' },
  ended: { none: 'word, open', started: 'word, open', ended: 'record', told: 'record' },
  cancelled: { none: 'cancelled', started: 'cancelled', ended: 'record', told: 'cancelled' },
  forced: { none: 'word', started: 'word', ended: 'word', told: 'word' },
  timeout: { none: 'word, open', started: 'word, open', ended: 'earlier', told: 'word' },
  gone: { none: 'wait', started: 'wait', ended: 'record, open', told: 'wait' },
  removed: { none: 'cancelled, open', started: 'wait', ended: 'record, open', told: 'wait' },
  unsubmitted: { none: 'lost', started: 'begin', ended: 'record', told: 'record' },
}

/** Ends that a scheduler brings about. */
export const forcedOutcomes: readonly string[] = ['oom', 'timeout', 'node_fail', 'preempted', 'deadline', 'launch']

/** The row of the table that a word belongs to. */
export function wordKind(word: QueueWord | null): WordKind {
  if (word === null) return 'silent'
  if (word.kind !== 'ended') return word.kind
  if (word.outcome === 'finished' || word.outcome === 'cancelled' || word.outcome === 'timeout') return word.outcome
  if (forcedOutcomes.includes(word.outcome)) return 'forced'
  // The job has not touched the group: it says nothing about it.
  return word.outcome === 'exit' && word.exitCode === groupTaken ? 'gone' : 'ended'
}

/** The column of the table that a record belongs to. */
export function recordKind(record: GroupRecord | null): RecordKind {
  if (record === null) return 'none'
  if (record.kind === 'start') return 'started'
  return record.outcome === 'exit' || record.outcome === 'launch' ? 'ended' : 'told'
}
