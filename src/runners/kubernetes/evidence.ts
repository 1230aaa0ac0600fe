import { jobEnd, podEnd } from '../../domain/pods/reasons.js'
import type { GroupRecord } from '../../domain/runs/group-record.js'
import type { Evidence, UnreachedJobs } from '../../domain/runs/judge-run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { type LogRead, logsRead, type PodShares, podShares } from '../../runfolder/evidence/pod-shares.js'
import { type SlotCursor, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import type { News, PolledRun, RunWithNews } from '../types.js'
import { isAlive, type Queue, shareOf, stateOfGroup } from './queue.js'

/** New records in the journals of the pods of a run since the last refresh. */
export interface PodNews extends News {
  readonly cursor: PodCursor
  /** The last record of each group that is not settled, by index. */
  readonly records: ReadonlyMap<number, GroupRecord>
  /** Of each attempt without a volume, which job has a group. */
  readonly shares: ReadonlyMap<number, PodShares>
  readonly logs: ReadonlyMap<string, LogRead>
}

interface PodCursor {
  readonly journals: SlotCursor
  /** The ends that are known of groups that are not settled. */
  readonly ends: readonly GroupRecord[]
}

/** Reads what is new in the journals of a run: one for each pod. */
export function podNews({ place, cursor, settled, foreign, attemptOf, handles }: PolledRun): PodNews {
  const before = cursor as PodCursor | null
  const journals = new SlotJournals(place.here, before?.journals ?? null).readOn()
  const records = new Map<number, GroupRecord>()
  const starts = journals.starts.filter(({ attempt }) => !foreign.has(attempt))
  for (const record of [...(before?.ends ?? []), ...starts, ...journals.ends.values()]) {
    if (!settled.has(record.index) && record.attempt === attemptOf(record.index)) records.set(record.index, record)
  }
  const ends = [...records.values()].filter(({ kind }) => kind === 'end')
  const shares = new Map<number, PodShares>()
  for (const attempt of new Set(handles.map(each => each.attempt))) {
    const own = podShares(place.here, attempt)
    if (own) shares.set(attempt, own)
  }
  const logs = shares.size > 0 ? logsRead(place.here) : new Map()
  return { cursor: { journals: journals.cursor, ends }, records, shares, logs }
}

/** The evidence about the groups of a run. @param queue null if kubectl has not answered */
export function podEvidence({ run, news }: RunWithNews<PodNews>, queue: Queue | null): Evidence {
  const { records, shares, logs } = news
  const recordOf = (index: number, attempt: number) => {
    const record = records.get(index)
    return record?.attempt === attempt ? record : null
  }
  const isLaunched = (attempt: number) => run.handles.some(handle => handle.attempt === attempt)
  const job = (index: number, attempt: number): SchedulerState | null => {
    if (queue === null || run.foreign.has(attempt)) return null
    if (!isLaunched(attempt)) return run.partial.has(attempt) ? null : { kind: 'unsubmitted' }
    const launched = queue(run.token, attempt)
    const [record, isCancelled] = [recordOf(index, attempt), run.isCancelled(attempt)]
    const own = shares.get(attempt)
    if (!own) return stateOfGroup(launched, record, isCancelled)
    const { job: name, isMade } = own.get(index)!
    const share = shareOf(launched, name)
    const log = logs.get(name)
    // It can still be read.
    if (log === undefined && share.pods.length > 0 && !share.pods.some(isAlive)) return null
    // All that has begun is told by a log that is whole, and nothing has in a job that was not made.
    const hasNotBegun = log === 'whole' || (log === undefined && !isMade)
    return stateOfGroup(share, record, isCancelled, { kind: hasNotBegun ? 'unattended' : 'gone' })
  }
  const waits = (index: number, attempt: number) => {
    const isOpen = run.attemptOf(index) === attempt && !run.settled.has(index) && !records.has(index)
    return isOpen && job(index, attempt)?.kind === 'unattended'
  }
  const unreached = [...shares].flatMap(([attempt, own]): UnreachedJobs[] => {
    if (run.isCancelled(attempt) || run.partial.has(attempt)) return []
    const { indices } = run.handles.find(handle => handle.attempt === attempt)!
    const positions = new Map(indices?.map((index, position) => [index, position]))
    const waiting = [...own.keys()].filter(index => waits(index, attempt))
    const jobs = waiting.map(index => positions.get(index) ?? index)
    return jobs.length === 0 ? [] : [{ attempt, first: 0, jobs, groups: jobs.length }]
  })
  return {
    answered: queue !== null,
    record: recordOf,
    job,
    isQueued: () => false,
    unreached,
    ...(queue !== null && shares.size === 0 && { dealing: { slots: null, hasNoWorker: hasNoWorker(run, queue) } }),
  }
}

/** Whether nothing of the last launch is left that would begin a group. */
function hasNoWorker({ handles, token, isCancelled }: PolledRun, queue: Queue): boolean {
  const attempts = handles.map(({ attempt }) => attempt).filter(attempt => !isCancelled(attempt))
  return (
    attempts.length > 0 &&
    attempts.every(attempt => {
      const { jobs, pods } = queue(token, attempt)
      return jobs.every(job => jobEnd(job) === 'failed') && pods.every(pod => podEnd(pod) !== null)
    })
  )
}
