import type { CellValue } from '../cell-value.js'
import type { Points } from '../metrics.js'
import { type Summary, summarize } from '../statistics.js'
import type { Mark, PlotRow } from './plot.js'

/** The mean of the groups of a cell; null if they have none that is finite. */
export function meanOfCell(
  value: CellValue | undefined,
): (Pick<Mark, 'low' | 'high' | 'count'> & { mean: number }) | null {
  if (!value || !('mean' in value) || !Number.isFinite(value.mean)) return null
  return { mean: value.mean, ...endsOf(value), count: value.count }
}

function endsOf({ mean, sd }: Summary): Pick<Mark, 'low' | 'high'> {
  const [low, high] = [mean - (sd ?? Number.NaN), mean + (sd ?? Number.NaN)]
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : { low: null, high: null }
}

/** If a series has at most this many steps, all of them are drawn. */
const mostSteps = 2_000

/** What is drawn of several series. */
export interface SeriesMarks {
  readonly marks: readonly Mark[]
  /** n if only every n-th step is kept, and the last one; else 1. */
  readonly every: number
  /** How many values are left out since they have no step. */
  readonly stepless: number
}

/**
 * The mean of the series of several groups at each step that one of them has, in the order of the steps; of more than 2,000
 * steps, a part. Of a step that a series has several times, the last value counts: after a restart, a script goes on from
 * there. A series without any steps is counted by its values.
 */
export function seriesMarks(series: readonly Points[]): SeriesMarks {
  const byStep = new Map<number, { values: number[]; latest: number }>()
  let stepless = 0
  for (const [number, { values, steps }] of series.entries()) {
    const isCounted = steps.some(Number.isFinite)
    for (const [at, value] of values.entries()) {
      const step = isCounted ? (steps[at] ?? Number.NaN) : at
      const there = byStep.get(step)
      if (!Number.isFinite(step)) stepless++
      else if (!there) byStep.set(step, { values: [value], latest: number })
      else if (there.latest === number) there.values[there.values.length - 1] = value
      else {
        there.values.push(value)
        there.latest = number
      }
    }
  }
  const steps = [...byStep.keys()].sort((one, other) => one - other)
  const every = Math.max(1, Math.ceil(steps.length / mostSteps))
  const marks = steps
    .filter((_, at) => at % every === 0 || at === steps.length - 1)
    .map((step): Mark => {
      const summary = summarize(byStep.get(step)!.values)
      const { mean, count } = summary
      if (Number.isFinite(mean)) return { x: step, y: mean, value: null, ...endsOf(summary), count }
      return { x: step, y: null, value: null, low: null, high: null, count }
    })
  return { marks, every, stepless }
}

/** The ends of deviations that a logarithmic axis cannot show go down to the smallest value that it shows. */
export function endsAboveZero(rows: readonly PlotRow[]): PlotRow[] {
  let least = Number.POSITIVE_INFINITY
  for (const { y, low } of rows) {
    for (const value of [y, low]) if (typeof value === 'number' && value > 0 && value < least) least = value
  }
  return rows.map(row => (row.low !== null && row.low <= 0 ? { ...row, low: least } : row))
}
