import { isDeepStrictEqual } from 'node:util'
import { type EndRecord, type GroupRecord, statusOfEnd } from './group-record.js'
import { type Dealing, type FailureCause, type GroupReport, type GroupStatus, hasEnded, mergedUsage } from './run.js'
import { forcedOutcomes, launchFailed, recordKind, type SchedulerState, stateKind, verdicts } from './verdicts.js'

/** The stored state of a group. */
export interface KnownGroup {
  readonly status: GroupStatus
  /** How often the scheduler has requeued it: records of earlier starts do not count. */
  readonly restarts: number
  /** Since when its end, or its absence, waits for confirmation by the scheduler; null if it does not. */
  readonly awaiting: number | null
}

/** The groups of a run, without those that are pending and have never been anything else. */
export interface GroupsOfRun {
  /** Groups that may still change: live, waiting for confirmation, or lost. */
  readonly open: OpenGroups
  /** Indices of the groups whose end is final. */
  readonly settled: { has(index: number): boolean }
}

/** The stored state of a run and its groups. */
export interface KnownRun extends GroupsOfRun {
  readonly groupCount: number
  stored(index: number): GroupReport
  attemptOf(index: number): number
  isCancelled(attempt: number): boolean
}

/** Reports by the indices of their groups. */
type OpenGroups = Pick<ReadonlyMap<number, GroupReport>, 'size' | 'has' | 'get' | 'keys' | 'values'>

/** Jobs of a submission that are over, and have not reached all their groups. */
export interface UnreachedJobs {
  readonly attempt: number
  /** Of the submission. */
  readonly first: number
  /** Their numbers in its span. */
  readonly jobs: readonly number[]
  /** How many groups they have not reached. */
  readonly groups: number
}

/** The evidence about the groups of a run. */
export interface Evidence {
  /** Whether the runner has answered; otherwise there are only the journals. */
  readonly answered: boolean
  /** The last record of a group in its journal; null if there is none. */
  record(index: number, attempt: number): GroupRecord | null
  /** The answer of the queue about a group; null if it was not polled or did not answer. */
  job(index: number, attempt: number): SchedulerState | null
  /** Whether the queue reports a settled group as live: a job that has ended may be requeued by hand. */
  isQueued(index: number, attempt: number): boolean
  /** The jobs for which later ones are due; missing if each job has one group. */
  readonly unreached?: readonly UnreachedJobs[]
  /**
   * A text that stays the same only if all of the above does, for the same submissions; missing if that is not known.
   */
  readonly digest?: string
  /** How Qanat itself deals the groups now; missing where a scheduler does. */
  readonly dealing?: Dealing
}

/** Times are in milliseconds. */
export interface Clock {
  readonly now: number
  /** How long file systems and accounting may lag; 0 if the evidence is on this machine. */
  readonly grace: number
}

/** The three witnesses of a group's state (stored state, record, queue), and what helps to decide between them. */
export interface Witnesses extends Clock {
  readonly record: GroupRecord | null
  readonly job: SchedulerState | null
  readonly known: KnownGroup
  readonly cancelled: boolean
}

export const unknownGroup: KnownGroup = { status: { state: 'pending' }, restarts: 0, awaiting: null }

/** The groups of a run whose state differs from the stored one. */
export function judgeRun(known: KnownRun, evidence: Evidence, { now, grace }: Clock): GroupReport[] {
  const reports: GroupReport[] = []
  for (let index = 0; index < known.groupCount; index++) {
    const attempt = known.attemptOf(index)
    const isSettled = known.settled.has(index)
    if (isSettled && !evidence.isQueued(index, attempt)) continue
    const job = evidence.job(index, attempt)
    const record = evidence.record(index, attempt)
    if (record === null && job === null) continue
    const stored = isSettled ? known.stored(index) : known.open.get(index)
    if (record === null && isStillWaiting(stored, job!)) continue
    const before = stored ? knownGroup(stored) : unknownGroup
    const after = judgeGroup({ record, job, known: before, cancelled: known.isCancelled(attempt), now, grace })
    if (!isDeepStrictEqual(after, before)) reports.push(reportOf(index, attempt, after))
  }
  return reports
}

/** Fast path: most groups of a large run are pending or held, and stay so. */
function isStillWaiting(stored: GroupReport | undefined, job: SchedulerState): boolean {
  if (!stored) return job.kind === 'pending' && job.restarts === 0
  const { status, restarts = 0, awaiting } = stored
  if (job.kind !== 'held' || status.state !== 'held' || awaiting !== undefined) return false
  return job.restarts === restarts && job.reason === status.reason
}

function knownGroup(report: GroupReport): KnownGroup {
  return { status: report.status, restarts: report.restarts ?? 0, awaiting: report.awaiting ?? null }
}

function reportOf(index: number, attempt: number, { status, restarts, awaiting }: KnownGroup): GroupReport {
  return {
    index,
    status,
    ...(attempt > 1 && { attempt }),
    ...(restarts > 0 && { restarts }),
    ...(awaiting !== null && { awaiting }),
  }
}

/** Merges the witnesses of one group: see {@link verdicts}. A final end stays, unless the group was requeued. */
export function judgeGroup(witnesses: Witnesses): KnownGroup {
  const { record, job, known } = witnesses
  const restarts = Math.max(known.restarts, restartsOf(job, record))
  const isSettled = hasEnded(known.status.state) && known.awaiting === null
  const current = record && record.restarts >= restarts ? record : null
  if (isSettled && restarts === known.restarts && !isFound({ ...witnesses, record: current })) return known
  const given = { ...witnesses, record: current, known: restarts > known.restarts ? unknownGroup : known }
  const { status, awaiting } = judgement(given)
  return { restarts, status: withUsage(status, given), awaiting }
}

/** Adds what the group has used, according to any witness: it may be known only after the end. */
function withUsage(status: GroupStatus, { record, job, known }: Witnesses): GroupStatus {
  if (!('finished' in status)) return status
  const used = mergedUsage(
    record?.kind === 'end' ? record.used : undefined,
    job?.kind === 'ended' ? job.used : undefined,
    'finished' in known.status ? known.status.used : undefined,
  )
  return used === undefined ? status : { ...status, used }
}

/** How often a group was requeued before the start that the queue means. */
function restartsOf(job: SchedulerState | null, record: GroupRecord | null): number {
  if (!job || !('restarts' in job)) return 0
  // No other start begins before the processes of this one have ended.
  const isEnding = job.kind === 'completing' && record?.kind === 'start'
  return isEnding ? Math.min(job.restarts, record.restarts) : job.restarts
}

/** A group that was given up counts as found again if any witness knows more about it. */
function isFound({ known, record, job }: Witnesses): boolean {
  if (known.status.state !== 'lost') return false
  const isNews = record !== null && (record.kind === 'end' || known.status.cause === 'never_started')
  return isNews || (job !== null && !['gone', 'removed', 'unsubmitted', 'unattended'].includes(job.kind))
}

type Judgement = Omit<KnownGroup, 'restarts'>

function judgement(witnesses: Witnesses): Judgement {
  const { job, record, known, cancelled } = witnesses
  const end = record as EndRecord
  const verdict = verdicts[stateKind(job)][recordKind(record)]
  switch (verdict) {
    case 'keep':
      return { status: known.status, awaiting: known.awaiting }
    case 'pending':
      return { status: { state: 'pending' }, awaiting: null }
    case 'held':
      return { status: { state: 'held', reason: job?.kind === 'held' ? job.reason : null }, awaiting: null }
    case 'running':
      return { status: runningStatus(witnesses), awaiting: null }
    case 'begin':
      return { status: begunStatus(witnesses), awaiting: known.awaiting }
    case 'record':
      return { status: statusOfEnd(end, cancelled), awaiting: null }
    case 'record, open':
      return untilGrace(witnesses, statusOfEnd(end, cancelled))
    case 'queue':
      return { status: statusOfJob(witnesses), awaiting: null }
    case 'queue, open':
      return untilGrace(witnesses, statusOfJob(witnesses))
    case 'earlier':
      return { status: isEarlier(witnesses) ? statusOfEnd(end, cancelled) : statusOfJob(witnesses), awaiting: null }
    case 'cancelled':
      return { status: cancelledStatus(witnesses), awaiting: null }
    case 'cancelled, open':
      return isUnseen(known) ? untilGrace(witnesses, cancelledStatus(witnesses)) : missing(witnesses)
    case 'pending unless cancelled':
      return witnesses.cancelled
        ? { status: cancelledStatus(witnesses), awaiting: null }
        : { status: { state: 'pending' }, awaiting: null }
    case 'lost':
      return { status: { state: 'lost', cause: 'never_started', ...timesOf(witnesses) }, awaiting: null }
    case 'wait':
      return missing(witnesses)
  }
}

function isUnstarted({ status }: KnownGroup): boolean {
  return status.state === 'pending' || (status.state === 'lost' && status.cause === 'never_started')
}

/** Whether a group was pending, or was removed from the queue while it was pending. */
function isUnseen({ status }: KnownGroup): boolean {
  const { state } = status
  return state === 'pending' || state === 'held' || (state === 'cancelled' && status.started === null)
}

function isEarlier({ record, job }: Witnesses): boolean {
  const finished = job?.kind === 'ended' ? job.finished : null
  return record?.kind === 'end' && finished !== null && record.ended < finished
}

function cancelledStatus(witnesses: Witnesses): GroupStatus {
  return { state: 'cancelled', ...timesOf(witnesses) }
}

/** The journal is more exact about the start than the queue. */
function runningStatus({ record, job }: Witnesses): GroupStatus {
  const { started, host, jobId } = record ?? (job as Extract<SchedulerState, { kind: 'running' }>)
  const suspended = job?.kind === 'running' && job.suspended
  return { state: 'running', started, host, jobId, ...(suspended && { suspended }) }
}

/** A group that runs, according to the queue, gets the exact start as soon as its journal tells it. */
function begunStatus(witnesses: Witnesses): GroupStatus {
  const { known, record } = witnesses
  if (isUnstarted(known)) return runningStatus(witnesses)
  if (known.status.state !== 'running' || record === null) return known.status
  const { started, host, jobId } = record
  return { ...known.status, started, host, jobId }
}

/** A status that the other witness may still correct, until the grace is over. */
function untilGrace({ known, now, grace }: Witnesses, status: GroupStatus): Judgement {
  // The clock may have been set back since.
  const since = Math.min(known.awaiting ?? now, now)
  return { status, awaiting: now - since >= grace ? null : since }
}

function statusOfJob(witnesses: Witnesses): GroupStatus {
  const job = witnesses.job as Extract<SchedulerState, { kind: 'ended' }>
  const { record } = witnesses
  const { outcome, exitCode, signal } = job
  const times = timesOf(witnesses)
  if (outcome === 'finished') return { state: 'finished', exitCode: 0, ...times }
  const isLaunch = outcome === 'exit' && exitCode === launchFailed && signal === null
  // Slurm has the code 0 beside a signal, with which no script has ended.
  const said = signal !== null && exitCode === 0 ? null : exitCode
  const code = forcedOutcomes.includes(outcome) && record?.kind === 'end' ? record.code : said
  const cause = isLaunch ? 'launch' : (outcome as FailureCause)
  return { state: 'failed', cause, exitCode: code, signal, ...times }
}

/** When and where a group ran, from the best source: the journal, then the stored state, then the queue. */
function timesOf({ record, job, known }: Witnesses) {
  const said = job?.kind === 'ended' ? job : null
  const before = 'started' in known.status ? known.status : null
  const started = record?.started ?? before?.started ?? said?.started ?? null
  const finished = (record?.kind === 'end' ? record.ended : null) ?? said?.finished ?? null
  return {
    started,
    // Schedulers leave out the fractions of a second.
    finished: started !== null && finished !== null ? Math.max(started, finished) : finished,
    host: record?.host ?? before?.host ?? said?.host ?? null,
    jobId: record?.jobId ?? before?.jobId ?? said?.jobId ?? null,
  }
}

/** A group that the queue no longer knows. */
function missing(witnesses: Witnesses): Judgement {
  const { record, known, cancelled, job } = witnesses
  const ended = record?.kind === 'end' ? record : null
  if (ended && (cancelled || known.status.state === 'lost')) return untilGrace(witnesses, statusOfEnd(ended, cancelled))
  const begun = record?.kind === 'start' && isUnstarted(known) ? runningStatus(witnesses) : known.status
  const waiting = untilGrace(witnesses, begun)
  if (waiting.awaiting !== null || hasEnded(begun.state)) return waiting
  if (ended) return { status: statusOfEnd(ended, cancelled), awaiting: null }
  const times = { ...timesOf(witnesses), finished: null }
  if (cancelled) return { status: { state: 'cancelled', ...times }, awaiting: null }
  const mayHaveBegun = times.started !== null || (job?.kind === 'gone' && job.mayHaveBegun)
  const cause = mayHaveBegun ? 'vanished' : 'never_started'
  return { status: { state: 'lost', cause, ...times }, awaiting: null }
}
