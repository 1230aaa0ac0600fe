import { type EndRecord, type GroupRecord, statusOfEnd } from './group-record.js'
import { type FailureCause, type GroupStatus, hasEnded } from './run.js'

/** What a scheduler says of one group. Times are milliseconds since the epoch. */
export type SchedulerWord =
  | { readonly kind: 'pending'; readonly restarts: number }
  | { readonly kind: 'held'; readonly restarts: number; readonly reason: string | null }
  | ({ readonly kind: 'running'; readonly restarts: number; readonly started: number } & Place)
  | ({
      readonly kind: 'ended'
      /** `exit`: it ended by itself with the code or signal that is given. */
      readonly outcome: 'finished' | 'cancelled' | FailureCause
      readonly exitCode: number | null
      readonly signal: string | null
      readonly started: number | null
      readonly finished: number | null
    } & Place)
  /** It was asked, it has answered, and knows nothing of it (any more). */
  | { readonly kind: 'gone' }

interface Place {
  readonly host: string | null
  readonly jobId: string | null
}

/** What is stored of a group. */
export interface KnownGroup {
  readonly status: GroupStatus
  /** How often the scheduler has put it back into its queue: records of earlier starts are void. */
  readonly restarts: number
  /** Since when its end, or its absence, awaits the scheduler's word; null where nothing is open. */
  readonly awaiting: number | null
}

/** The three witnesses of a group's state, and what decides between them. */
export interface Witnesses {
  /** The last thing that the group's job script recorded. */
  readonly record: GroupRecord | null
  /** Null where the scheduler was not asked or did not answer. */
  readonly word: SchedulerWord | null
  readonly known: KnownGroup
  /** Whether somebody asked for the end of the run. */
  readonly cancelled: boolean
  readonly now: number
  /** Milliseconds that file systems and accounting may lag behind. */
  readonly grace: number
}

export const unknownGroup: KnownGroup = { status: { state: 'pending' }, restarts: 0, awaiting: null }

/**
 * Merges the witnesses. The scheduler knows where a group is and why it was ended from outside, the record how the
 * script ended; no answer changes nothing; an end without the scheduler's word stays open until the grace is over.
 */
export function judgeGroup(witnesses: Witnesses): KnownGroup {
  const { record, word, known } = witnesses
  const restarts = Math.max(known.restarts, word && 'restarts' in word ? word.restarts : 0)
  const isSettled = hasEnded(known.status.state) && known.awaiting === null
  const current = record && record.restarts >= restarts ? record : null
  if (isSettled && restarts === known.restarts && !isFound({ ...witnesses, record: current })) return known
  const given = { ...witnesses, record: current, known: restarts > known.restarts ? unknownGroup : known }
  return { restarts, ...judgement(given) }
}

/** A group that was given up is found again by whatever says more of it. */
function isFound({ known, record, word }: Witnesses): boolean {
  if (known.status.state !== 'lost') return false
  const isNews = record !== null && (record.kind === 'end' || known.status.cause === 'never_started')
  return isNews || (word !== null && word.kind !== 'gone')
}

type Judgement = Omit<KnownGroup, 'restarts'>

function judgement(witnesses: Witnesses): Judgement {
  const { word, record } = witnesses
  switch (word?.kind) {
    case 'held':
      return { status: { state: 'held', reason: word.reason }, awaiting: null }
    case 'pending':
    case 'running':
      if (record?.kind === 'end' && endsByItself(record)) return open(witnesses, statusOfEnd(record, false))
      return { status: liveStatus(word, record), awaiting: null }
    case 'ended':
      return ended(witnesses, word)
    case 'gone':
      return missing(witnesses)
    default:
      return unanswered(witnesses)
  }
}

/** A group that was told to end may have been requeued: only the scheduler knows. */
function endsByItself(record: EndRecord): boolean {
  return record.outcome === 'exit' || record.outcome === 'launch'
}

const notStarted = { kind: 'pending', restarts: 0 } as const

function liveStatus(word: Extract<SchedulerWord, { kind: 'pending' | 'running' }>, record: GroupRecord | null) {
  const known = record && { started: record.started, host: record.host, jobId: record.jobId }
  if (known && (word.kind === 'running' || record.kind === 'start')) return { state: 'running' as const, ...known }
  if (word.kind === 'pending') return { state: 'pending' as const }
  return { state: 'running' as const, started: word.started, host: word.host, jobId: word.jobId }
}

/** An end that the scheduler may still overrule, until the grace is over. */
function open({ known, now, grace }: Witnesses, status: GroupStatus): Judgement {
  const since = known.awaiting ?? now
  return { status, awaiting: now - since >= grace ? null : since }
}

const endsFromOutside: readonly string[] = ['oom', 'timeout', 'node_fail', 'preempted', 'deadline', 'launch']

function ended(witnesses: Witnesses, word: Extract<SchedulerWord, { kind: 'ended' }>): Judgement {
  const { record, cancelled } = witnesses
  const end = record?.kind === 'end' ? record : null
  const { outcome, exitCode, signal, started, finished, host, jobId } = word
  const times = {
    started: record?.started ?? started,
    finished: end?.ended ?? finished,
    host: record?.host ?? host,
    jobId: record?.jobId ?? jobId,
  }
  if (endsFromOutside.includes(outcome)) {
    const cause = outcome as FailureCause
    return { status: { state: 'failed', cause, exitCode: end?.code ?? exitCode, signal, ...times }, awaiting: null }
  }
  if (end && (outcome !== 'cancelled' || endsByItself(end))) {
    return { status: statusOfEnd(end, cancelled), awaiting: null }
  }
  if (outcome === 'cancelled') return { status: { state: 'cancelled', ...times }, awaiting: null }
  if (outcome === 'finished') return { status: { state: 'finished', exitCode: 0, ...times }, awaiting: null }
  // The record, which says more, may still be on its way through the file system.
  const cause = exitCode === launchFailed && signal === null ? 'launch' : (outcome as FailureCause)
  return open(witnesses, { state: 'failed', cause, exitCode, signal, ...times })
}

/** Exit code of a job that could not reach its group, and hence recorded nothing. */
export const launchFailed = 125

/** Exit code of a job that left its group alone, since another job or a later launch has it. */
export const groupTaken = 123

function missing(witnesses: Witnesses): Judgement {
  const { record, known, cancelled } = witnesses
  if (record?.kind === 'end' && (cancelled || endsByItself(record) || known.status.state === 'lost')) {
    return open(witnesses, statusOfEnd(record, cancelled))
  }
  const last = record?.kind === 'start' ? liveStatus(notStarted, record) : known.status
  const waiting = open(witnesses, last)
  if (waiting.awaiting !== null || hasEnded(last.state)) return waiting
  if (record?.kind === 'end') return { status: statusOfEnd(record, cancelled), awaiting: null }
  const started = record ?? ('started' in known.status ? known.status : null)
  const times = {
    started: started?.started ?? null,
    finished: null,
    host: started?.host ?? null,
    jobId: started?.jobId ?? null,
  }
  if (cancelled) return { status: { state: 'cancelled', ...times }, awaiting: null }
  return { status: { state: 'lost', cause: started ? 'vanished' : 'never_started', ...times }, awaiting: null }
}

function unanswered(witnesses: Witnesses): Judgement {
  const { record, known } = witnesses
  if (record?.kind === 'end' && endsByItself(record)) return open(witnesses, statusOfEnd(record, false))
  if (record?.kind === 'start' && known.status.state === 'pending') {
    return { status: liveStatus(notStarted, record), awaiting: known.awaiting }
  }
  return { status: known.status, awaiting: known.awaiting }
}
