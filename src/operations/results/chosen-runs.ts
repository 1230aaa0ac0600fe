import { groupParameters } from '../../domain/parameters/group-parameters.js'
import type { GroupResult } from '../../domain/results/compare.js'
import {
  columnsOfRuns,
  originNames,
  type ParameterColumn,
  type RunColumns,
} from '../../domain/results/comparison/columns.js'
import { allCount, type NotCounted } from '../../domain/results/comparison/speaking.js'
import { noteNames } from '../../domain/results/metrics.js'
import { type MetricsList, metricsReader } from '../../domain/results/metrics-text.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { type Run, type Usage, unknownUsage } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { findEnvironments } from '../environments/run-environments.js'
import { continueKeeping } from '../outputs/keep-outputs.js'
import { openRuns, refreshRuns } from '../refresh/refresh-runs.js'
import { findExperiment } from '../registry/find-experiment.js'
import { findRuns } from '../runs/find-run.js'
import type { Workspace } from '../workspace.js'
import { type CountedRuns, countedRuns, Grids } from './counted-runs.js'
import { indexMetrics } from './index-metrics.js'
import { liveMetrics } from './live-metrics.js'
import { everything, fittingRuns, type LookedAt, runWords } from './looked-at.js'
import { type Origins, originAt, originColumns, originsOf } from './run-origins.js'

/**
 * The runs of an experiment that are asked for, refreshed, the oldest first.
 * @throws UserError if there is none
 */
export async function chosenRuns(workspace: Workspace, experiment: string, looked: LookedAt): Promise<Run[]> {
  const { name } = findExperiment(workspace, experiment)
  const named = namedRuns(workspace, name, looked.words)
  if (named.length === 0) throw new UserError(`${name} has no runs yet`, `qanat run ${name} …`)
  const found = fittingRuns(named, looked)
  const wanted = new Map(found.map(run => [run.id, run]))
  const live = openRuns(workspace).filter(({ id }) => wanted.has(id))
  if (live.length > 0) await asFarAsStored(workspace, () => refreshRuns(workspace, live))
  for (const { id } of live) wanted.set(id, workspace.store.runs.get(id))
  return [...wanted.values()].sort((one, other) => one.id - other.id)
}

function namedRuns(workspace: Workspace, experiment: string, looked: readonly string[]): Run[] {
  const words = runWords(looked)
  return words.length > 0 ? findRuns(workspace, [experiment, ...words]) : workspace.store.runs.listOf(experiment)
}

/** Whether groups of the runs that are asked for have not ended, as far as it is known. @param words see {@link LookedAt} */
export function areLive(workspace: Workspace, experiment: string, words: readonly string[]): boolean {
  return namedRuns(workspace, experiment, words).some(({ counts }) => !isOver(counts))
}

/** The same with their metrics, which are read from files as far as they are new. */
export async function runsWithMetrics(workspace: Workspace, experiment: string, looked: LookedAt): Promise<Run[]> {
  const runs = await chosenRuns(workspace, experiment, looked)
  const { metrics } = findExperiment(workspace, experiment).results
  continueKeeping(workspace)
  indexMetrics(workspace, runs, metrics)
  await findEnvironments(workspace, runs)
  return runs
}

interface GroupReading {
  /** Of runs, which count as parameters. */
  readonly origins: Origins
  /** Reads the metrics of some groups, see {@link metricsReader}. */
  readonly read?: (text: string) => MetricsList
  /** Whether it matters when the groups started, and what they used. */
  readonly withUsage: boolean
  /** Where somebody has read the parameters already. */
  readonly grids?: Grids
}

/** With all that is known of them. */
export const allOfThem: GroupReading = { origins: new Map(), withUsage: true }

/**
 * All groups of runs that count with their parameters and metrics, the oldest first, some at a time.
 * @param left the groups that do not count
 */
export function groupsOf(
  workspace: Workspace,
  runs: readonly Run[],
  left: NotCounted = allCount,
  reading = allOfThem,
): Generator<GroupResult[]> {
  return workspace.store.readingAll(readGroups(workspace, runs, left, reading))
}

const atOnce = 400

function* readGroups(
  workspace: Workspace,
  runs: readonly Run[],
  left: NotCounted,
  { origins, read, withUsage, grids = new Grids(workspace.store) }: GroupReading,
): Generator<GroupResult[]> {
  const { store } = workspace
  for (const { id, counts } of runs) {
    const total = totalOf(counts)
    const allAt = parametersAt(workspace, id, origins, grids)
    const leftOut = left.get(id)
    for (let first = 0; first < total; first += atOnce) {
      const some: GroupResult[] = []
      const end = Math.min(first + atOnce, total)
      const ended = store.readings.ended(id, first, end - first, read, withUsage)
      const { numbers } = ended
      for (let index = first, at = 0; index < end; index++) {
        const place = numbers[at] === index ? at++ : null
        if (leftOut?.has(index)) continue
        some.push(
          place === null
            ? { run: id, index, parameters: allAt(index), ...waiting }
            : new EndedGroup(id, index, allAt, ended, place),
        )
      }
      yield some
    }
  }
}

/** The parameters and the origin of a group by its index. Many groups are only counted, so that nobody asks for them. */
function parametersAt(workspace: Workspace, run: number, origins: Origins, grids: Grids) {
  const { grid } = grids.of(run)
  const originOf = originAt(workspace, run, origins)
  let known: ReturnType<typeof groupParameters> | null = null
  return (index: number) => {
    known ??= groupParameters(grid)
    return originOf ? { ...known(index), ...originOf(index) } : known(index)
  }
}

/** Looks into the columns of what was read: there may be 100,000 groups, of which few are shown. */
class EndedGroup implements GroupResult {
  private known: GroupResult['parameters'] | null = null

  constructor(
    readonly run: number,
    readonly index: number,
    private readonly parametersAt: (index: number) => GroupResult['parameters'],
    private readonly ended: ReturnType<Workspace['store']['readings']['ended']>,
    private readonly place: number,
  ) {}

  get parameters(): GroupResult['parameters'] {
    this.known ??= this.parametersAt(this.index)
    return this.known
  }

  get state(): GroupResult['state'] {
    return this.ended.states[this.place]!
  }

  get cause(): GroupResult['cause'] {
    return this.ended.causes[this.place]!
  }

  get seconds(): GroupResult['seconds'] {
    const duration = this.ended.durations[this.place]!
    return duration === null ? null : duration / 1000
  }

  get metrics(): GroupResult['metrics'] {
    return this.ended.metrics.at(this.place)!
  }

  get started(): number | null {
    return this.ended.usage?.starts[this.place] ?? null
  }

  get used(): Usage {
    const { usage } = this.ended
    return usage === null ? unknownUsage : usageOf(usage.peakMemory[this.place]!, usage.cpuTimes[this.place]!)
  }
}

function usageOf(peakMemory: number | null, cpuTime: number | null): Usage {
  return peakMemory === null && cpuTime === null ? unknownUsage : { peakMemory, cpuTime }
}

/** All groups of runs at once that count, and what metrics they have. */
export interface Results extends CountedRuns {
  readonly groups: readonly GroupResult[]
  /** Their parameters. */
  readonly columns: readonly ParameterColumn[]
  /** The names of all metrics, and whether their values are numbers. */
  readonly there: ReadonlyMap<string, boolean>
}

/**
 * All groups of runs at once that count. What differs in the code of the runs, their environment, or the state of a dataset that
 * they read, is among their parameters.
 * @param apart see {@link countedRuns}
 * @param wanted names of the metrics that the groups keep, without when they started and what they used: much memory is needed
 * for all that is known of many groups. Null for all
 */
export async function groupResults(
  workspace: Workspace,
  chosen: readonly Run[],
  apart: readonly string[] | null,
  wanted: readonly string[] | null = null,
  looked = everything,
): Promise<Results> {
  const { grids, ...own } = await countedRuns(workspace, chosen, apart, looked)
  const { runs, left } = own
  const groups: GroupResult[] = []
  const there = new Map<string, boolean>()
  const read = metricsReader(there, wanted)
  const { origins, doubts } = await originsOf(workspace, runs)
  for (const some of groupsOf(workspace, runs, left, { origins, read, withUsage: wanted === null, grids }))
    groups.push(...some)
  const columns = workspace.store.reading(() => runs.map(run => columnsOfRun(workspace, run, left, origins, grids)))
  return { ...own, notes: [...own.notes, ...doubts], groups, columns: columnsOfRuns(columns), there }
}

function columnsOfRun(
  workspace: Workspace,
  { id, counts }: Run,
  left: NotCounted,
  origins: Origins,
  grids: Grids,
): RunColumns {
  const groups = totalOf(counts)
  const ofOrigin = originColumns(workspace, id, origins, originNames, groups)
  return { groups, columns: [...grids.of(id).columns, ...ofOrigin], left: left.get(id) }
}

/** The same with what groups that run have left so far: they have no metrics yet, but there are the names. */
export function withLive(workspace: Workspace, results: Results): Results {
  const there = new Map(results.there)
  const live = new Map(results.runs.map(run => [run.id, liveMetrics(workspace, run)]))
  if ([...live.values()].every(({ size }) => size === 0)) return results
  const groups = results.groups.map(group => {
    const soFar = live.get(group.run)!.get(group.index)
    if (soFar === undefined) return group
    noteNames(soFar, there)
    const { run, index, parameters, state, cause, seconds, started, used, metrics } = group
    return { run, index, parameters, state, cause, seconds, started, ...(used && { used }), metrics, soFar }
  })
  return { ...results, groups, there }
}

const waiting = {
  state: 'pending',
  cause: null,
  started: null,
  seconds: null,
  used: unknownUsage,
  metrics: {},
} as const
