import { groupBy } from '../../domain/group-by.js'
import {
  type GridParameter,
  gridParameters,
  groupParameters,
  varies,
} from '../../domain/parameters/group-parameters.js'
import { parameterMatcher } from '../../domain/parameters/parameter-filter.js'
import { DifferentValues } from '../../domain/parameters/same-value.js'
import { type Direction, directionOf, type MetricSource } from '../../domain/results/metrics.js'
import { ordered, readSort } from '../../domain/results/ordered.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import {
  type GroupFilter,
  groupSorting,
  type ListedGroup,
  meetsAll,
  needsMetrics,
  refuseUnknownOptions,
} from '../../domain/runs/group-filter.js'
import type { Run } from '../../domain/runs/run.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { chosenRuns } from './chosen-runs.js'
import { groupsOfRun, isAmong, refuseUnknownMetric } from './fitting-groups.js'
import { indexMetrics } from './index-metrics.js'
import { liveMetrics } from './live-metrics.js'
import { notLookedAt } from './looked-at.js'

/** Which groups of an experiment are wanted. */
export interface GroupRequest {
  readonly experiment: string
  /** Ids and ranges of runs; none for all. */
  readonly runs: readonly string[]
  readonly filter: GroupFilter
  /** A column, a parameter or a metric, a `-` before it for the opposite order; null for the newest run first. */
  readonly sort: string | null
  readonly limit: number | null
  /** Whether all metrics are read before, however long that takes; it is always so if they decide which groups are listed. */
  readonly isComplete: boolean
}

/** Groups that were asked for. */
export interface GroupListing {
  readonly experiment: string
  readonly runs: readonly Run[]
  readonly groups: readonly ListedGroup[]
  /** How many groups fit the filter, before the limit. */
  readonly matching: number
  /** How many groups the runs have. */
  readonly total: number
  /** The parameters that differ between groups of the runs, without those that the filter fixes. */
  readonly varying: readonly string[]
  /** What to show of the metrics: those that are declared as best, or else the first ones, and those that were asked for. */
  readonly metrics: readonly { readonly name: string; readonly direction: Direction | null }[]
  /** How many of the runs have metrics that there was no time to read. */
  readonly late: number
}

/** How long metrics that are new are read where they only are shown, in milliseconds. */
const readingTime = 300
/** How many metrics are shown if none is declared as best. */
const shownMetrics = 3

/** Lists groups, those of the newest run first. @throws UserError for options and metrics that no group has */
export async function listGroups(workspace: Workspace, request: GroupRequest): Promise<GroupListing> {
  const { filter, sort, limit } = request
  const { name, results } = findExperiment(workspace, request.experiment)
  const looked = { words: request.runs, filter: null }
  const runs = (await chosenRuns(workspace, name, looked)).reverse()
  const grids = new Map(runs.map(({ id }) => [id, workspace.store.runs.launch(id).grid]))
  const parameters = [...grids.values()].map(grid => gridParameters(grid)!)
  const names = [...new Set(parameters.flatMap(each => each.map(parameter => parameter.name)))]
  refuseUnknownOptions(filter, names)
  const { by, isReverse } = sort === null ? { by: null, isReverse: false } : readSort(sort)
  const until = Date.now() + readingTime
  const isComplete = request.isComplete || needsMetrics(filter, by, names)
  const late = readNew(workspace, runs, results.metrics, isComplete ? Number.POSITIVE_INFINITY : readingTime)
  const isWanted = parameterMatcher(filter.parameters)
  const left = notLookedAt(workspace, runs, looked)
  const candidates = runs.flatMap(run =>
    groupsOfRun(workspace, run, filter, groupParameters(grids.get(run.id)!), isWanted).filter(
      ({ index }) => !left.get(run.id)?.has(index),
    ),
  )
  for (const run of runs) addLive(workspace, run, candidates, isComplete ? Number.POSITIVE_INFINITY : until)
  const metrics = metricsOf(workspace, runs, candidates, filter, by)
  const groups = candidates.filter(group => meetsAll(group.metrics, filter.metrics))
  const inOrder = by === null ? groups : ordered(groups, groups.map(groupSorting(by, names, metrics)), isReverse)
  const best = Object.keys(results.best).filter(metric => metrics.includes(metric))
  const asked = [...filter.metrics.map(({ metric }) => metric), ...(by === null ? [] : [by])]
  const shown = [
    ...(best.length > 0 ? best : metrics.slice(0, shownMetrics)),
    ...asked.filter(metric => isAmong(metrics, metric) && !names.includes(metric)),
  ]
  return {
    ...{ experiment: name, runs, late },
    groups: limit === null ? inOrder : inOrder.slice(0, limit),
    matching: groups.length,
    total: runs.reduce((sum, { counts }) => sum + totalOf(counts), 0),
    varying: varyingOf(parameters).filter(parameter => !fixes(filter, parameter)),
    metrics: [...new Set(shown)].map(metric => ({ name: metric, direction: directionOf(metric, results.best) })),
  }
}

/**
 * Reads metrics that are new, those of the first runs first.
 * @param time in milliseconds
 * @returns for how many runs there was no time
 */
function readNew(workspace: Workspace, runs: readonly Run[], sources: readonly MetricSource[], time: number): number {
  const until = Date.now() + time
  for (const run of runs) {
    if (Date.now() < until) indexMetrics(workspace, [run], sources, until)
  }
  if (Date.now() < until) return 0
  return runs.filter(({ id }) => workspace.store.readings.unread(id, -1, 1).length > 0).length
}

/** Adds what those of the groups that run have left so far. They are not copied: there may be 100,000. */
function addLive(workspace: Workspace, run: Run, groups: readonly ListedGroup[], until: number): void {
  if (run.counts.running === 0) return
  const running = groups.filter(group => group.run === run.id && group.state === 'running')
  const indices = running.map(({ index }) => index)
  const live = liveMetrics(workspace, run, indices, until)
  for (const group of running) {
    const soFar = live.get(group.index)
    if (soFar) Object.assign(group, { soFar })
  }
}

/**
 * The names of the metrics of groups; of all groups of the runs, if these do not have what is asked for.
 * @throws UserError for a condition on a metric that no group has
 */
function metricsOf(
  { store }: Workspace,
  runs: readonly Run[],
  groups: readonly ListedGroup[],
  { metrics: conditions }: GroupFilter,
  by: string | null,
): string[] {
  const found = new Set<string>()
  for (const { metrics, soFar } of groups) {
    for (const name in metrics) found.add(name)
    for (const name in soFar) found.add(name)
  }
  const asked = [...conditions.map(({ metric }) => metric), ...(by === null ? [] : [by])]
  if (asked.every(metric => isAmong([...found], metric))) return [...found]
  return refuseUnknownMetric(store, runs, conditions)
}

/** The parameters that differ between the groups of runs. @param runs the parameters of each */
function varyingOf(runs: readonly (readonly GridParameter[])[]): string[] {
  const found = groupBy(runs.flat(), ({ name }) => name)
  const differ = (all: readonly GridParameter[]) => {
    const different = new DifferentValues()
    return all.length < runs.length || all.some(varies) || all.some(({ values }) => different.placeOf(values[0]!) > 0)
  }
  return [...found].filter(([, all]) => differ(all)).map(([name]) => name)
}

/** Whether the filter leaves a parameter only one value. */
function fixes({ parameters }: GroupFilter, name: string): boolean {
  return parameters.flat().some(({ names, value }) => value !== null && names?.includes(name))
}
