import { gridParameters, groupParameters } from '../../domain/parameters/group-parameters.js'
import { parameterMatcher } from '../../domain/parameters/parameter-filter.js'
import type { NotCounted } from '../../domain/results/comparison/speaking.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { type GroupFilter, meetsAll, refuseUnknownOptions } from '../../domain/runs/group-filter.js'
import type { Run } from '../../domain/runs/run.js'
import { fits, type RunFilter } from '../../domain/runs/run-filter.js'
import { UserError } from '../../errors.js'
import { readGroup } from '../runs/find-run.js'
import type { Workspace } from '../workspace.js'
import { groupsOfRun, refuseUnknownMetric } from './fitting-groups.js'

/** What of an experiment results are made of. */
export interface ResultFilter {
  /** Of the runs: only their tags, commit and time of launch count here. */
  readonly runs: RunFilter
  /** Of the groups that speak for their cells. */
  readonly groups: GroupFilter
}

/** What somebody looks at: runs and groups, as words, and those of them that fit a filter. */
export interface LookedAt {
  /** Ids and ranges of runs, and single groups such as `11.2`; none for all runs. */
  readonly words: readonly string[]
  readonly filter: ResultFilter | null
}

export const everything: LookedAt = { words: [], filter: null }

const groupWord = /^(\d+)\.(\d+)$/

/** The words for the runs to which words belong. */
export function runWords(words: readonly string[]): string[] {
  return [...new Set(words.map(word => groupWord.exec(word)?.[1] ?? word))]
}

/** Those with the tags, the commit and the time that are asked for. @throws UserError if there is none */
export function fittingRuns(runs: readonly Run[], { filter }: LookedAt): readonly Run[] {
  if (filter === null) return runs
  const nothing = () => {
    throw new Error('neither parameters nor words of runs are asked for')
  }
  const fitting = runs.filter(run => fits(run, filter.runs, nothing, nothing))
  if (fitting.length > 0) return fitting
  throw new UserError(
    `none of ${runs.length} run${runs.length === 1 ? '' : 's'} fits`,
    'qanat runs        lists all runs',
  )
}

/** The groups of runs that nobody looks at: others of the same run were named, or their parameters do not fit. */
export function notLookedAt(workspace: Workspace, runs: readonly Run[], { words, filter }: LookedAt): NotCounted {
  const named = namedGroups(runs, words)
  const parameters = filter?.groups.parameters ?? []
  if (named.size === 0 && parameters.length === 0) return new Map()
  const { store } = workspace
  const grids = store.reading(() => new Map(runs.map(({ id }) => [id, store.runs.grid(id)])))
  const known = parameters.length === 0 ? [] : [...grids.values()].flatMap(grid => gridParameters(grid)!)
  if (filter) refuseUnknownOptions(filter.groups, [...new Set(known.map(({ name }) => name))])
  const isWanted = parameterMatcher(parameters)
  return leftOf(runs, ({ id }) => {
    const own = named.get(id)
    const parametersAt = groupParameters(grids.get(id)!)
    return index => own?.has(index) !== false && (parameters.length === 0 || isWanted(parametersAt(index)))
  })
}

/** Of runs of which single groups were named, and which were not named as a whole, these groups. */
function namedGroups(runs: readonly Run[], words: readonly string[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>()
  const byId = new Map(runs.map(run => [run.id, run]))
  for (const word of words) {
    const [, id, index] = groupWord.exec(word) ?? []
    const run = byId.get(Number(id))
    if (index === undefined || !run || isNamed(run, words)) continue
    found.set(run.id, (found.get(run.id) ?? new Set()).add(readGroup(run, index)))
  }
  return found
}

function isNamed({ id }: Run, words: readonly string[]): boolean {
  return words.some(word => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    return first !== undefined && id >= Number(first) && id <= Number(last)
  })
}

/**
 * The groups that do not fit by their status or their metrics, which have to be read before.
 * @throws UserError for a metric that no group has
 */
export function notFitting(workspace: Workspace, runs: readonly Run[], { filter }: LookedAt): NotCounted {
  if (!filter || (filter.groups.statuses.length === 0 && filter.groups.metrics.length === 0)) return new Map()
  const { store } = workspace
  const { metrics } = filter.groups
  if (metrics.length > 0) refuseUnknownMetric(store, runs, metrics)
  const own = { ...filter.groups, parameters: [] }
  return leftOf(runs, run => {
    const groups = groupsOfRun(
      workspace,
      run,
      own,
      () => ({}),
      () => true,
    )
    const fitting = new Set(groups.filter(group => meetsAll(group.metrics, metrics)).map(({ index }) => index))
    return index => fitting.has(index)
  })
}

/** @throws UserError if nothing is left */
export function refuseNothing({ filter }: LookedAt, isAnyLeft: boolean): void {
  if (isAnyLeft || filter === null) return
  throw new UserError('no group fits these filters', 'qanat groups NAME        lists groups by the same filters')
}

function leftOf(runs: readonly Run[], isKeptOf: (run: Run) => (index: number) => boolean): NotCounted {
  const left = new Map<number, Set<number>>()
  for (const run of runs) {
    const isKept = isKeptOf(run)
    const others = new Set<number>()
    for (let index = 0; index < totalOf(run.counts); index++) if (!isKept(index)) others.add(index)
    if (others.size > 0) left.set(run.id, others)
  }
  return left
}

/** The groups that are in any of some sets. */
export function union(...all: readonly NotCounted[]): NotCounted {
  const some = all.filter(({ size }) => size > 0)
  if (some.length < 2) return some[0] ?? new Map()
  const ids = new Set(some.flatMap(each => [...each.keys()]))
  return new Map([...ids].map(id => [id, new Set(some.flatMap(each => [...(each.get(id) ?? [])]))]))
}
