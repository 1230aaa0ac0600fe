import type { GroupResult } from './compare.js'
import { type Metric, numberOf } from './metrics.js'

/** A cell of a table of groups; null if the group does not have it. */
export type CollectedValue = string | number | boolean | null

/** A column of a table of groups. */
export interface CollectedColumn {
  readonly name: string
  readonly value: (group: GroupResult) => CollectedValue
}

/** Columns for the parameters and the metrics of groups, in the order in which they first appear. */
export function collectedColumns(groups: readonly GroupResult[]): CollectedColumn[] {
  const parameters = new Set<string>()
  // Whether some group has a series of it.
  const metrics = new Map<string, boolean>()
  for (const group of groups) {
    for (const name in group.parameters) parameters.add(name)
    for (const name in group.metrics) metrics.set(name, metrics.get(name) || typeof group.metrics[name] === 'object')
  }
  return [
    ...[...parameters].map(name => ({ name, value: (group: GroupResult) => parameterValue(group.parameters[name]) })),
    ...[...metrics].flatMap(([name, isSeries]) => metricColumns(name, isSeries)),
  ]
}

/** A series has columns for its last, its smallest and its largest value. */
function metricColumns(name: string, isSeries: boolean): CollectedColumn[] {
  const metricOf = ({ metrics }: GroupResult): Metric | undefined =>
    Object.hasOwn(metrics, name) ? metrics[name] : undefined
  const last: CollectedColumn = {
    name,
    value: group => {
      const metric = metricOf(group)
      return typeof metric === 'object' ? metric.last : (metric ?? null)
    },
  }
  const range = (['min', 'max'] as const).map(statistic => ({
    name: `${name}:${statistic}`,
    value: (group: GroupResult) => numberOf(metricOf(group), statistic),
  }))
  return isSeries ? [last, ...range] : [last]
}

/** A number if it is written as programs write numbers; true for a flag; the values of a repeated option with blanks between. */
function parameterValue(value: string | readonly string[] | undefined): CollectedValue {
  if (value === undefined) return null
  if (typeof value !== 'string') return value.join(' ')
  if (value === '') return true
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?(e[-+]?\d{1,3})?$/i.test(value) ? Number(value) : value
}
