import { UserError } from '../../errors.js'
import { namedOption, type ParameterFilter, readParameterFilter } from '../parameters/parameter-filter.js'
import type { GroupResult } from '../results/compare.js'
import { type Metrics, numberOf } from '../results/metrics.js'
import { endCauses, type GroupState, type GroupStatus } from './run.js'
import { type MetricCondition, readCondition, readStatuses, readWords } from './run-filter.js'

/** Conditions on groups, all of which a group must meet; empty ones match all. */
export interface GroupFilter {
  readonly statuses: readonly GroupState[]
  readonly causes: readonly string[]
  /** Full names, or names up to a dot. */
  readonly hosts: readonly string[]
  readonly parameters: readonly ParameterFilter[]
  readonly metrics: readonly MetricCondition[]
}

/** A group with its parameters and metrics, and all that is known of its end. */
export interface ListedGroup extends GroupResult {
  readonly status: GroupStatus
}

/** A group as lists filter and sort it. */
export function listedGroup(
  facts: Pick<ListedGroup, 'run' | 'index' | 'parameters' | 'status' | 'metrics'>,
): ListedGroup {
  const { run, index, parameters, status, metrics } = facts
  const { state } = status
  const cause = 'cause' in status ? status.cause : null
  const started = 'started' in status ? status.started : null
  const finished = 'finished' in status ? status.finished : null
  const seconds = started === null || finished === null ? null : (finished - started) / 1000
  // A spread of the group would take ten times as long.
  return { run, index, parameters, status, metrics, state, cause, started, seconds }
}

interface GivenFilter {
  readonly status?: readonly string[] | undefined
  readonly cause?: readonly string[] | undefined
  readonly host?: readonly string[] | undefined
  readonly param?: readonly string[] | undefined
  readonly where?: readonly string[] | undefined
}

/** Parses the filters. @throws UserError for an unknown status or cause, and for what is no condition */
export function readGroupFilter({ status, cause = [], host = [], param = [], where = [] }: GivenFilter): GroupFilter {
  return {
    statuses: readStatuses(status),
    causes: readWords('cause', cause, endCauses),
    hosts: host.flatMap(words => words.split(',')),
    parameters: param.map(readParameterFilter),
    metrics: where.map(readCondition),
  }
}

/** @throws UserError if a filter names an option that is not among the parameters */
export function refuseUnknownOptions({ parameters }: GroupFilter, known: readonly string[]): void {
  const option = parameters.map(namedOption).find(name => name !== null && !known.includes(name))
  if (option === undefined) return
  throw new UserError(
    `--param ${option}: no group has this parameter`,
    known.length > 0 ? `their parameters: ${known.join(', ')}` : 'the groups have no parameters',
  )
}

type SortKey = string | number | null

const sortings: Readonly<Record<string, (group: ListedGroup) => SortKey>> = {
  run: ({ run }) => run,
  group: ({ index }) => index,
  status: ({ state }) => state,
  cause: ({ cause }) => cause,
  host: ({ status }) => ('host' in status ? status.host : null),
  started: ({ started }) => started,
  finished: ({ status }) => ('finished' in status ? status.finished : null),
  duration: ({ seconds }) => seconds,
}

export const groupSortNames = Object.keys(sortings)

/**
 * What groups are sorted by: a column, a parameter (with or without its dashes) or a metric.
 * @param by without the sign of the order
 * @throws UserError that names the choices
 */
export function groupSorting(
  by: string,
  parameters: readonly string[],
  metrics: readonly string[],
): (group: ListedGroup) => SortKey {
  if (Object.hasOwn(sortings, by)) return sortings[by]!
  const parameter = sortedParameter(by, parameters)
  if (parameter !== undefined) {
    return ({ parameters: own }) => (Object.hasOwn(own, parameter) ? [own[parameter]!].flat().join(' ') : null)
  }
  if (metrics.includes(by.replace(/:(min|max)$/, ''))) return group => metricNumber(group.metrics, by)
  throw new UserError(
    `--sort ${by}: groups cannot be sorted by it`,
    `use one of ${[...groupSortNames, ...parameters, ...metrics].join(', ')}`,
  )
}

/** The parameter that a sort names, with or without its dashes. */
function sortedParameter(by: string, parameters: readonly string[]): string | undefined {
  return [by, `--${by}`, `-${by}`].find(name => parameters.includes(name))
}

/** Whether metrics decide which groups are in a list, or in which order. @param by what it is sorted by */
export function needsMetrics({ metrics }: GroupFilter, by: string | null, parameters: readonly string[]): boolean {
  const isKnown = by === null || Object.hasOwn(sortings, by) || sortedParameter(by, parameters) !== undefined
  return metrics.length > 0 || !isKnown
}

/** The number of a metric of a group; of a series its last one, or with `acc:max` its largest. Null if there is none, or NaN. */
export function metricNumber(metrics: Metrics, name: string): number | null {
  const number = anyNumber(metrics, name)
  return Number.isNaN(number) ? null : number
}

function anyNumber(metrics: Metrics, name: string): number | null {
  const [, base = name, statistic] = Object.hasOwn(metrics, name) ? [] : (/^(.*):(min|max)$/.exec(name) ?? [])
  const metric = Object.hasOwn(metrics, base) ? metrics[base] : undefined
  return numberOf(metric, (statistic as 'min' | 'max' | undefined) ?? 'last')
}

/** Whether the metrics of a group meet all conditions. */
export function meetsAll(metrics: Metrics, conditions: readonly MetricCondition[]): boolean {
  return conditions.every(({ metric, isMet }) => {
    const number = anyNumber(metrics, metric)
    return number !== null && isMet(number)
  })
}
