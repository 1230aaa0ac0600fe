import { jobEnd, podEnd } from '../../domain/pods/reasons.js'
import type { GroupRecord } from '../../domain/runs/group-record.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { type SlotCursor, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import type { News, PolledRun, RunWithNews } from '../types.js'
import { type Queue, stateOfGroup } from './queue.js'

/** New records in the journals of the pods of a run since the last refresh. */
export interface PodNews extends News {
  readonly cursor: PodCursor
  /** The last record of each group that is not settled, by index. */
  readonly records: ReadonlyMap<number, GroupRecord>
}

interface PodCursor {
  readonly journals: SlotCursor
  /** The ends that are known of groups that are not settled. */
  readonly ends: readonly GroupRecord[]
}

/** Reads what is new in the journals of a run: one for each pod. */
export function podNews({ place, cursor, settled, foreign, attemptOf }: PolledRun): PodNews {
  const before = cursor as PodCursor | null
  const journals = new SlotJournals(place.here, before?.journals ?? null).readOn()
  const records = new Map<number, GroupRecord>()
  const starts = journals.starts.filter(({ attempt }) => !foreign.has(attempt))
  for (const record of [...(before?.ends ?? []), ...starts, ...journals.ends.values()]) {
    if (!settled.has(record.index) && record.attempt === attemptOf(record.index)) records.set(record.index, record)
  }
  const ends = [...records.values()].filter(({ kind }) => kind === 'end')
  return { cursor: { journals: journals.cursor, ends }, records }
}

/** The evidence about the groups of a run. @param queue null if kubectl has not answered */
export function podEvidence({ run, news }: RunWithNews<PodNews>, queue: Queue | null): Evidence {
  const { records } = news
  const recordOf = (index: number, attempt: number) => {
    const record = records.get(index)
    return record?.attempt === attempt ? record : null
  }
  const isLaunched = (attempt: number) => run.handles.some(handle => handle.attempt === attempt)
  const job = (index: number, attempt: number): SchedulerState | null => {
    if (queue === null || run.foreign.has(attempt)) return null
    if (!isLaunched(attempt)) return run.partial.has(attempt) ? null : { kind: 'unsubmitted' }
    return stateOfGroup(queue(run.token, attempt), recordOf(index, attempt), run.isCancelled(attempt))
  }
  return {
    answered: queue !== null,
    record: recordOf,
    job,
    isQueued: () => false,
    ...(queue !== null && { dealing: { slots: null, hasNoWorker: hasNoWorker(run, queue) } }),
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
