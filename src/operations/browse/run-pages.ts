import { groupParameters } from '../../domain/parameters/group-parameters.js'
import { compareGroups } from '../../domain/results/compare.js'
import type { Metrics } from '../../domain/results/metrics.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Launch } from '../../domain/runs/launch.js'
import { type GroupDetails, type GroupState, groupStates, type Run } from '../../domain/runs/run.js'
import type { StatusCounts } from '../../store/pages.js'
import { listing, readingTime, withParameters } from '../results/best-metrics.js'
import { indexMetrics } from '../results/index-metrics.js'
import { type GroupRequest, listGroups } from '../results/list-groups.js'
import { liveMetrics } from '../results/live-metrics.js'
import { type Part, type RunSelection, type Selection, selectRuns } from '../results/select-runs.js'
import { groupDetails } from '../runs/run-details.js'
import type { Workspace } from '../workspace.js'

/** A part of a list of runs. */
export interface RunPart extends Selection {
  /** How many there are of each status, before the filter. */
  readonly counts: StatusCounts
}

/** Which runs are wanted. Without an order, live ones come first, the newest next. */
export interface RunChoice extends RunSelection {
  /** Null for those of all experiments. */
  readonly experiment: string | null
}

/** A part of the runs of one or of all experiments. Without filter and order, no other runs are read. */
export async function runPart(
  workspace: Workspace,
  { experiment, filter, sort }: RunChoice,
  part: Part,
): Promise<RunPart> {
  const { pages } = workspace.store
  const all = pages.statusCounts()
  const counts = experiment === null ? sumOf([...all.values()]) : (all.get(experiment) ?? {})
  if (sort === null && Object.values(filter).every(each => each === null || each.length === 0)) {
    const total = groupStates.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
    const first = await listing(workspace, pages.runs(experiment, part.first, part.count))
    return { ...first, runs: withParameters(workspace, first.runs), total, counts }
  }
  const selected = await selectRuns(workspace, pages.runs(experiment, 0, -1), { filter, sort }, part)
  return { ...selected, runs: withParameters(workspace, selected.runs), counts }
}

function sumOf(all: readonly StatusCounts[]): StatusCounts {
  const entries = groupStates.map(status => [status, all.reduce((sum, each) => sum + (each[status] ?? 0), 0)])
  return Object.fromEntries(entries)
}

/** A group with its metrics, and with what it has left so far if it runs. */
export type BrowsedGroup = GroupDetails & { readonly metrics: Metrics; readonly soFar?: Metrics }

/** A part of the groups of a run. */
export interface GroupPart {
  readonly groups: readonly BrowsedGroup[]
  /** How many groups are in the state that was asked for. */
  readonly total: number
}

/**
 * Some groups of a run with their metrics, which are read from files as far as they are new, and as far as that takes no
 * longer than a list may. The rest is read at the next look.
 * @param state null for all
 */
export function groupPart(workspace: Workspace, run: Run, state: GroupState | null, part: Part): GroupPart {
  const sources = workspace.store.experiments.find(run.experiment)?.results.metrics ?? []
  indexMetrics(workspace, [run], sources, Date.now() + readingTime)
  const total = state === null ? totalOf(run.counts) : run.counts[state]
  return { groups: browsedGroups(workspace, run, indicesOf(workspace, run, state, part)), total }
}

/** The groups of a run that a filter keeps, see {@link listGroups}. @throws UserError for options and metrics that no group has */
export async function chosenGroups(
  workspace: Workspace,
  run: Run,
  { filter, sort }: Pick<GroupRequest, 'filter' | 'sort'>,
  { first, count }: Part,
): Promise<GroupPart> {
  const request = { experiment: run.experiment, runs: [String(run.id)], filter, sort, limit: null, isComplete: false }
  const { groups } = await listGroups(workspace, request)
  const indices = groups.slice(first, first + count).map(({ index }) => index)
  return { groups: browsedGroups(workspace, run, indices), total: groups.length }
}

/** One group of a run with its metrics. */
export function browsedGroup(workspace: Workspace, run: Run, index: number): BrowsedGroup {
  return groupPart(workspace, run, null, { first: index, count: 1 }).groups[0]!
}

/** Groups by their indices, with the metrics that have been read already. @param launch of the run, if it is known */
export function browsedGroups(
  workspace: Workspace,
  run: Run,
  indices: readonly number[],
  launch?: Launch,
): BrowsedGroup[] {
  const metricsOf = (index: number) => workspace.store.readings.of(run.id, index) ?? {}
  const live = liveMetrics(workspace, run, indices)
  return groupDetails(workspace, run, indices, launch).map(group => {
    const soFar = live.get(group.index)
    const metrics = group.status.state === 'finished' ? metricsOf(group.index) : {}
    return { ...group, metrics, ...(soFar && { soFar }) }
  })
}

function indicesOf({ store }: Workspace, run: Run, state: GroupState | null, { first, count }: Part): number[] {
  if (state !== null && state !== 'pending') return store.pages.groupsIn(run.id, state, first, count)
  const total = totalOf(run.counts)
  const all = state === null ? [...Array(total).keys()] : store.pages.pending(run.id, total)
  return all.slice(first, first + count)
}

/** The parameters of a run. */
export interface RunParameters {
  /** Those that differ between groups, with the values of each in their order. */
  readonly varying: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** Those that all groups share. */
  readonly constants: Readonly<Record<string, string | readonly string[]>>
}

/** Which parameters of a run vary. */
export function runParameters({ store }: Workspace, run: Run): RunParameters {
  const parametersAt = groupParameters(store.runs.grid(run.id))
  const nothing = { run: run.id, state: 'pending', cause: null, started: null, seconds: null, metrics: {} } as const
  const groups = Array.from({ length: totalOf(run.counts) }, (_, index) => ({
    ...nothing,
    index,
    parameters: parametersAt(index),
  }))
  const { by, constants } = compareGroups(groups, { by: null, over: [] })
  const values = new Map(by.map(name => [name, new Set<string>()]))
  for (const { parameters } of groups) {
    for (const [name, found] of values) {
      const value = parameters[name]
      if (value !== undefined) found.add([value].flat().join(' '))
    }
  }
  return { varying: [...values].map(([name, found]) => ({ name, values: [...found] })), constants }
}
