import { setImmediate as breathe } from 'node:timers/promises'
import { gridParameters, groupParameters } from '../../domain/parameters/group-parameters.js'
import { parameterMatcher } from '../../domain/parameters/parameter-filter.js'
import { ordered, readSort } from '../../domain/results/ordered.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { type FilterLine, type LineFields, readFilterLine } from '../../domain/runs/filter-line.js'
import {
  groupSorting,
  groupSortNames,
  type ListedGroup,
  listedGroup,
  meetsAll,
} from '../../domain/runs/group-filter.js'
import { endCauses, groupStates, type Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'
import { oneOf } from './explored-runs.js'

/** Groups between two moments in which other things, such as keys, are seen to. */
const atOnce = 1_000

const fields: Omit<LineFields<ListedGroup>, 'parameter'> = {
  fields: {
    status(value) {
      const wanted = oneOf('status', value, groupStates)
      return ({ state }) => state === wanted
    },
    cause(value) {
      const wanted = oneOf('cause', value, endCauses)
      return ({ cause }) => cause === wanted
    },
    host:
      value =>
      ({ status }) =>
        'host' in status && (status.host === value || status.host?.split('.')[0] === value),
  },
  metric:
    condition =>
    ({ metrics }) =>
      meetsAll(metrics, [condition]),
  text: ({ index, state, cause, status, parameters }) =>
    [index, state, cause, 'host' in status ? status.host : '', ...Object.entries(parameters).flat(2)].join(' '),
  sortings: groupSortNames,
  metrics: null,
}

/** Reads the filter line of a list of groups of an experiment. @throws UserError that names the word that is not understood */
export function readGroupLine(text: string): FilterLine<ListedGroup> {
  return readFilterLine(text, {
    ...fields,
    parameter(option, value) {
      const matches = parameterMatcher([[{ names: option === null ? null : [option], value }]])
      return ({ parameters }) => matches(parameters)
    },
  })
}

/**
 * The indices of the groups of a run that a filter line keeps, in its order. Metrics that have not been read are missing.
 * @throws UserError if no group has what they are to be sorted by
 */
export async function exploredGroups(
  workspace: Workspace,
  run: Run,
  { keeps, keepsAll, sort }: FilterLine<ListedGroup>,
): Promise<readonly number[]> {
  const { store } = workspace
  const total = totalOf(run.counts)
  if (keepsAll && sort === null) return Array.from({ length: total }, (_, index) => index)
  const grid = store.runs.grid(run.id)
  const parametersAt = groupParameters(grid)
  const sorting = sort === null ? null : readSort(sort)
  const keyOf = sorting && sortingOf(workspace, run, sorting.by)
  const kept: ListedGroup[] = []
  for (let first = 0; first < total; first += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, total - first) }, (_, at) => first + at)
    kept.push(...listed(workspace, run, indices, parametersAt).filter(keeps))
    await breathe()
  }
  const inOrder = keyOf === null ? kept : ordered(kept, kept.map(keyOf), sorting!.isReverse)
  return inOrder.map(({ index }) => index)
}

function sortingOf({ store }: Workspace, { id }: Run, by: string): (group: ListedGroup) => string | number | null {
  const parameters = gridParameters(store.runs.grid(id))!.map(({ name }) => name)
  // To find the names of the metrics takes longer.
  const isMetric = ![...groupSortNames, ...parameters].some(name => name.replace(/^--?/, '') === by.replace(/^--?/, ''))
  return groupSorting(by, parameters, isMetric ? store.pages.metricNames([id]) : [])
}

function listed(
  { store }: Workspace,
  { id: run }: Run,
  indices: readonly number[],
  parametersAt: (index: number) => ListedGroup['parameters'],
): ListedGroup[] {
  const stored = store.pages.groups(run, { statuses: [], causes: [], hosts: [] }, indices)
  const known = new Map(stored.map(group => [group.index, group]))
  return indices.map(index => {
    const { status = { state: 'pending' } as const, metrics = {} } = known.get(index) ?? {}
    return listedGroup({ run, index, parameters: parametersAt(index), status, metrics })
  })
}
