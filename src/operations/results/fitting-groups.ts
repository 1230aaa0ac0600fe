import { totalOf } from '../../domain/runs/aggregate.js'
import { type GroupFilter, type ListedGroup, listedGroup } from '../../domain/runs/group-filter.js'
import type { Run } from '../../domain/runs/run.js'
import type { MetricCondition } from '../../domain/runs/run-filter.js'
import { UserError } from '../../errors.js'
import type { Store } from '../../store/store.js'
import type { Workspace } from '../workspace.js'

const pending = { state: 'pending' } as const

/** The groups of a run that fit the filter but perhaps for their metrics, in their order. */
export function groupsOfRun(
  { store }: Workspace,
  { id: run, counts }: Run,
  filter: GroupFilter,
  parametersAt: (index: number) => ListedGroup['parameters'],
  isWanted: (parameters: ListedGroup['parameters']) => boolean,
): ListedGroup[] {
  const all = () => [...Array(totalOf(counts)).keys()]
  const indices = filter.parameters.length === 0 ? null : all().filter(index => isWanted(parametersAt(index)))
  const known = store.pages
    .groups(run, filter, indices)
    .map(({ index, status, metrics }) => listedGroup({ run, index, parameters: parametersAt(index), status, metrics }))
  if (!takesPending(filter) || counts.pending === 0) return known
  const wanted = indices === null ? null : new Set(indices)
  // Most groups that wait have no row.
  const rows = new Set(known.map(({ index }) => index))
  const others = store.pages
    .pending(run, totalOf(counts))
    .filter(index => !rows.has(index) && wanted?.has(index) !== false)
    .map(index => listedGroup({ run, index, parameters: parametersAt(index), status: pending, metrics: {} }))
  return [...known, ...others].sort((one, other) => one.index - other.index)
}

/** Whether a group that waits, and of which nothing else is known, may be wanted. */
function takesPending({ statuses, causes, hosts, metrics }: GroupFilter): boolean {
  const isState = statuses.length === 0 || statuses.includes('pending')
  return isState && [causes, hosts, metrics].every(each => each.length === 0)
}

/**
 * The names of the metrics of runs.
 * @throws UserError for a condition on a metric that no group has
 */
export function refuseUnknownMetric(
  store: Store,
  runs: readonly Run[],
  conditions: readonly MetricCondition[],
): string[] {
  const all = store.pages.metricNames(runs.map(({ id }) => id))
  const unknown = conditions.find(({ metric }) => !isAmong(all, metric))
  if (unknown === undefined) return all
  const known = all.length > 0 ? `their metrics: ${all.join(', ')}` : 'no metrics of these groups have been found'
  throw new UserError(
    `--where ${unknown.text}: no group has the metric ${unknown.metric}`,
    `${known}\n--param NAME:VALUE        chooses groups by a parameter`,
  )
}

/** Whether a metric, perhaps with `:min` or `:max`, is among some. */
export function isAmong(metrics: readonly string[], name: string): boolean {
  return metrics.includes(name) || metrics.includes(name.replace(/:(min|max)$/, ''))
}
