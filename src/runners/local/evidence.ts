import { groupBy } from '../../domain/group-by.js'
import type { EndRecord } from '../../domain/runs/group-record.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { hasPlan, readSlots } from '../../runfolder/evidence/keeper-file.js'
import { type OpenStart, processOf, type SlotCursor, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import type { Answers, ProcessQuery } from '../../sites/site.js'
import type { BegunProcess, Life, ProcessIdentity } from '../../system/process-identity.js'
import type { JobHandle, News, PolledRun, RunWithNews } from '../types.js'

/** New records in the journals of a local run since the last refresh. */
export interface LocalNews extends News {
  readonly cursor: SlotCursor
  readonly ends: ReadonlyMap<number, EndRecord>
  readonly starts: readonly OpenStart[]
  /** The last worker of each slot, by attempts; like the starts, without those of foreign attempts. */
  readonly workers: ReadonlyMap<number, readonly ProcessIdentity[]>
  /** The attempts whose plan is gone: their pools cannot go on, and what their groups recorded may be gone, too. */
  readonly planless: ReadonlySet<number>
  /** How many slots each attempt has now, if that was changed. */
  readonly slots: ReadonlyMap<number, number>
}

/** Reads what is new in the journals of a run. The processes in the journals of a foreign attempt are not those of this run. */
export function localNews({ place, cursor, foreign, handles }: PolledRun): LocalNews {
  const journals = new SlotJournals(place.here, cursor as SlotCursor | null).readOn()
  return {
    cursor: journals.cursor,
    ends: journals.ends,
    starts: journals.starts.filter(({ attempt }) => !foreign.has(attempt)),
    workers: new Map(handles.map(({ attempt }) => [attempt, journals.workers(attempt)])),
    planless: new Set(handles.flatMap(({ attempt }) => (hasPlan(place.here, attempt) ? [] : attempt))),
    slots: new Map(
      handles.flatMap(({ attempt }) => {
        const slots = readSlots(place.here, attempt)
        return slots === null ? [] : [[attempt, slots] as const]
      }),
    ),
  }
}

/** The processes to check: keepers, workers, groups without an end record. */
export function processQueries(polled: readonly RunWithNews<LocalNews>[]): ProcessQuery[] {
  const processes = polled.flatMap(({ run, news }) => [
    ...run.handles.map(keeperOf),
    ...[...news.workers.values()].flat(),
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
 * A group that has not started is pending while the keeper or a worker of its attempt lives, and also when all have died: they can
 * be started again. If there never was a keeper, or somebody has removed the plan, it is lost. A group with a start record but no
 * end record lives if its worker or one of its own processes does. On another machine, and in a copy of the project, only ends are
 * known.
 */
export function localEvidence({ run, news }: RunWithNews<LocalNews>, answers: Answers): Evidence {
  const lifeOf = (process: ProcessIdentity | BegunProcess) =>
    (answers.get(keyOf(process)) as Life | undefined) ?? 'lives'
  const pools = new Map(
    run.handles.map(handle => {
      const processes = [keeperOf(handle), ...(news.workers.get(handle.attempt) ?? [])]
      return [handle.attempt, lifeOfAny(processes.map(lifeOf))]
    }),
  )
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
    if (!first) {
      const pool = pools.get(attempt) ?? 'none'
      return isOpen ? null : notStarted[pool === 'dead' && news.planless.has(attempt) ? 'planless' : pool]
    }
    const life = [first, ...others].flatMap(start => [
      lifeOf(groupProcess(start, run)),
      ...(start.worker ? [lifeOf(start.worker)] : []),
    ])
    if (life.includes('lives')) {
      return { kind: 'running', restarts: 0, started: first.started, host: first.host, jobId: first.jobId }
    }
    return life.includes('unknown') ? null : { kind: 'gone' }
  }
  const slots = [...news.slots].flatMap(([attempt, count]) => (pools.get(attempt) === 'dead' ? [] : count))
  return {
    answered: lifeOfAny([...pools.values()]) !== 'unknown' && (pools.size > 0 || run.foreign.size === 0),
    record: (index, attempt) => endOf(index, attempt) ?? startsOf(index, attempt)[0] ?? null,
    job: stateOf,
    isQueued: () => false,
    dealing: {
      slots: slots.length > 0 ? Math.min(...slots) : null,
      hasNoWorker: pools.size > 0 && lifeOfAny([...pools.values()]) === 'dead' && waits(run, stateOf),
    },
  }
}

/** What is known of a group that has not started by the life of its pool. */
const notStarted = {
  lives: null,
  unknown: null,
  dead: { kind: 'unattended' },
  planless: { kind: 'gone', mayHaveBegun: true },
  none: { kind: 'gone' },
} as const

function lifeOfAny(lives: readonly Life[]): Life {
  return lives.includes('lives') ? 'lives' : lives.includes('unknown') ? 'unknown' : 'dead'
}

/** Whether a group waits that nothing will start. */
function waits({ groupCount, open, settled, attemptOf }: PolledRun, stateOf: Evidence['job']): boolean {
  const isPending = (index: number) => !settled.has(index) && (open.get(index)?.status.state ?? 'pending') === 'pending'
  const indices = Array.from({ length: groupCount }, (_, index) => index)
  return indices.some(index => isPending(index) && stateOf(index, attemptOf(index))?.kind === 'unattended')
}

/** Identity of the keeper that a handle stands for. */
export function keeperOf(handle: JobHandle): ProcessIdentity {
  return handle.data as unknown as ProcessIdentity
}
