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
  /** How many steps are left out since not all series have them. */
  readonly partial: number
}

/**
 * The mean of the series of several groups at the steps that all of them have, in the order of the steps; of more than 2,000
 * steps, a part. If most steps are in some of them only, each series has a line of its own: a mean would jump from group to
 * group. Of a step that a series has several times, the last value counts: after a restart, a script goes on from there.
 */
export function seriesMarks(series: readonly Points[]): SeriesMarks {
  let stepless = 0
  const all = series.map(({ values, steps }) => {
    const byStep = new Map<number, number>()
    for (const [at, value] of values.entries()) {
      const step = steps[at] ?? Number.NaN
      if (Number.isFinite(step)) byStep.set(withoutRounding(step), value)
      else stepless++
    }
    return byStep
  })
  const counted = all.filter(({ size }) => size > 0)
  const steps = [...new Set(counted.flatMap(byStep => [...byStep.keys()]))]
  const shared = steps.filter(step => counted.every(byStep => byStep.has(step)))
  if (shared.length * 2 >= steps.length) {
    const { marks, every } = marksAt(shared, step => counted.map(byStep => byStep.get(step)!))
    return { marks, every, stepless, partial: steps.length - shared.length }
  }
  const lines = counted.map(byStep => marksAt([...byStep.keys()], step => [byStep.get(step)!]))
  return {
    marks: lines.flatMap(({ marks }, at) => marks.map(mark => ({ ...mark, line: at + 1 }))),
    every: Math.max(...lines.map(({ every }) => every)),
    stepless,
    partial: 0,
  }
}

/** Steps that are not whole may differ in their last digits: 0.1 + 0.2 is not 0.3. */
function withoutRounding(step: number): number {
  return Number.isInteger(step) ? step : Number(step.toPrecision(14))
}

function marksAt(all: readonly number[], valuesAt: (step: number) => number[]): { marks: Mark[]; every: number } {
  const steps = all.toSorted((one, other) => one - other)
  const every = Math.max(1, Math.ceil(steps.length / mostSteps))
  const kept = steps.filter((_, at) => at % every === 0 || at === steps.length - 1)
  const marks = kept.map((step): Mark => {
    const summary = summarize(valuesAt(step))
    const { mean, count } = summary
    if (Number.isFinite(mean)) return { x: step, y: mean, value: null, ...endsOf(summary), count }
    return { x: step, y: null, value: null, low: null, high: null, count }
  })
  return { marks, every }
}

/** The ends of deviations that a logarithmic axis cannot show go down to the smallest value that it shows. */
export function endsAboveZero(rows: readonly PlotRow[]): PlotRow[] {
  let least = Number.POSITIVE_INFINITY
  for (const { y, low } of rows) {
    for (const value of [y, low]) if (typeof value === 'number' && value > 0 && value < least) least = value
  }
  return rows.map(row => (row.low !== null && row.low <= 0 ? { ...row, low: least } : row))
}
