import { groupBy } from '../../domain/group-by.js'
import type { EndRecord } from '../../domain/runs/group-record.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { type OpenStart, processOf, type SlotCursor, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import type { Answers, ProcessQuery } from '../../sites/site.js'
import type { BegunProcess, Life, ProcessIdentity } from '../../system/process-identity.js'
import type { JobHandle, News, PolledRun, RunWithNews } from '../types.js'

/** New records in the journals of a local run since the last refresh. */
export interface LocalNews extends News {
  readonly cursor: SlotCursor
  readonly ends: ReadonlyMap<number, EndRecord>
  readonly starts: readonly OpenStart[]
  /** The last worker of each slot; like the starts, without those of foreign attempts. */
  readonly workers: readonly ProcessIdentity[]
}

/** Reads what is new in the journals of a run. The processes in the journals of a foreign attempt are not those of this run. */
export function localNews({ place, cursor, foreign }: PolledRun): LocalNews {
  const journals = new SlotJournals(place.here, cursor as SlotCursor | null).readOn()
  return {
    cursor: journals.cursor,
    ends: journals.ends,
    starts: journals.starts.filter(({ attempt }) => !foreign.has(attempt)),
    workers: journals.workers(attempt => !foreign.has(attempt)),
  }
}

/** The processes to check: keepers, workers, groups without an end record. */
export function processQueries(polled: readonly RunWithNews<LocalNews>[]): ProcessQuery[] {
  const processes = polled.flatMap(({ run, news }) => [
    ...run.handles.map(keeperOf),
    ...news.workers,
    ...news.starts.flatMap(start => [groupProcess(start, run), ...(start.worker ? [start.worker] : [])]),
  ])
  return [...new Map(processes.map(process => [keyOf(process), process]))].map(([key, process]) => ({ key, process }))
}

function keyOf(process: ProcessIdentity | BegunProcess): string {
  return JSON.stringify(process)
}

/** The process of a start record. Without an identity of its worker, it is on the machine of the last keeper. */
function groupProcess(start: OpenStart, { handles, place }: PolledRun): BegunProcess {
  const last = handles.at(-1)
  return processOf(
    start,
    last ? keeperOf(last) : { host: start.host, bootId: '', machineId: null, namespace: null },
    place.there,
  )
}

/**
 * The evidence about the groups of a local run.
 *
 * A group that has not started is pending while the keeper or a worker lives. A group with a start record but no end record lives if its
 * worker or one of its own processes does. On another machine, and in a copy of the project, only ends are known.
 */
export function localEvidence({ run, news }: RunWithNews<LocalNews>, answers: Answers): Evidence {
  const lifeOf = (process: ProcessIdentity | BegunProcess) =>
    (answers.get(keyOf(process)) as Life | undefined) ?? 'lives'
  const starters = [...run.handles.map(keeperOf), ...news.workers]
  const lives = starters.map(lifeOf)
  const whole: Life = lives.includes('lives') ? 'lives' : lives.includes('unknown') ? 'unknown' : 'dead'
  const starts = groupBy(news.starts, ({ index }) => index)
  const startsOf = (index: number, attempt: number) =>
    starts.get(index)?.filter(start => start.attempt === attempt) ?? []
  const endOf = (index: number, attempt: number) => {
    const end = news.ends.get(index)
    return end?.attempt === attempt ? end : null
  }
  const stateOf = (index: number, attempt: number): SchedulerState | null => {
    if (endOf(index, attempt)) return { kind: 'gone' }
    const [first, ...others] = startsOf(index, attempt)
    const isOpen = run.partial.has(attempt) || run.foreign.has(attempt)
    if (!first) return whole === 'dead' && !isOpen ? { kind: 'gone' } : null
    const life = [first, ...others].flatMap(start => [
      lifeOf(groupProcess(start, run)),
      ...(start.worker ? [lifeOf(start.worker)] : []),
    ])
    if (life.includes('lives')) {
      return { kind: 'running', restarts: 0, started: first.started, host: first.host, jobId: first.jobId }
    }
    return life.includes('unknown') ? null : { kind: 'gone' }
  }
  return {
    answered: whole !== 'unknown' && (starters.length > 0 || run.foreign.size === 0),
    record: (index, attempt) => endOf(index, attempt) ?? startsOf(index, attempt)[0] ?? null,
    job: stateOf,
    isQueued: () => false,
  }
}

/** Identity of the keeper that a handle stands for. */
export function keeperOf(handle: JobHandle): ProcessIdentity {
  return handle.data as unknown as ProcessIdentity
}
