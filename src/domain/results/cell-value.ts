import { bootstrapInterval } from './bootstrap.js'
import type { Cell, GroupResult, MetricChoice } from './compare.js'
import { type Direction, numberOf } from './metrics.js'
import { confidenceInterval, type IntervalMethod, type Summary, summarize } from './statistics.js'

/** What the groups of a cell say together about a metric: a summary of numbers, else their texts, each once. */
export type CellValue = Summary | readonly string[] | null

/** @returns null if no group has the metric */
export function cellValue(cell: Cell, metric: MetricChoice): CellValue {
  const numbers = numbersOf(cell, metric)
  if (numbers.length > 0) return summarize(numbers)
  const texts = new Set<string>()
  for (const { metrics } of cell.groups)
    if (Object.hasOwn(metrics, metric.name)) texts.add(String(metrics[metric.name]))
  return texts.size > 0 ? [...texts] : null
}

/** The confidence interval of the mean of the numbers in a cell; null if they are less than two. */
export function cellInterval(
  cell: Cell,
  metric: MetricChoice,
  method: IntervalMethod,
): readonly [number, number] | null {
  const numbers = numbersOf(cell, metric)
  if (numbers.length < 2) return null
  return method.method === 't' ? confidenceInterval(summarize(numbers)) : bootstrapInterval(numbers, method.seed)
}

function numbersOf({ groups }: Pick<Cell, 'groups'>, metric: MetricChoice): number[] {
  const numbers: number[] = []
  for (const group of groups) {
    const number = numberIn(group, metric)
    if (number !== null) numbers.push(number)
  }
  return numbers
}

/** The number of a metric of a group; null if it has none. */
export function numberIn(
  { metrics }: Pick<GroupResult, 'metrics'>,
  { name, statistic }: Pick<MetricChoice, 'name' | 'statistic'>,
): number | null {
  return Object.hasOwn(metrics, name) ? numberOf(metrics[name], statistic) : null
}

/** The number by which cells are sorted and judged; null if there is none. */
export function cellMean(cell: Cell, metric: MetricChoice): number | null {
  const { groups } = cell
  const mean = groups.length === 1 ? numberIn(groups[0]!, metric) : meanOf(numbersOf({ groups }, metric))
  return Number.isNaN(mean) ? null : mean
}

function meanOf(numbers: readonly number[]): number | null {
  return numbers.length < 2 ? (numbers[0] ?? null) : summarize(numbers).mean
}

/** The best value; null if nothing says which one is. @param means null never wins */
export function bestOf(means: readonly (number | null)[], direction: Direction | null): number | null {
  if (direction === null) return null
  let best: number | null = null
  for (const mean of means) {
    if (mean !== null && (best === null || (direction === 'max' ? mean > best : mean < best))) best = mean
  }
  return best
}
