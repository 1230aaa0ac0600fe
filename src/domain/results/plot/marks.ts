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
  return sd === null || !Number.isFinite(sd) ? { low: null, high: null } : { low: mean - sd, high: mean + sd }
}

/** Up to so many steps, all of them are drawn. */
const mostSteps = 2_000

/**
 * The mean of several series at each step that one of them has, in the order of the steps. Of more than 2,000 steps, every
 * n-th is kept, and the last one. A value without a step belongs to the step of its number.
 * @returns also this n, or 1
 */
export function seriesMarks(series: readonly Points[]): { marks: Mark[]; every: number } {
  const byStep = new Map<number, number[]>()
  for (const { values, steps } of series) {
    for (const [at, value] of values.entries()) {
      const step = steps[at] ?? at
      const there = byStep.get(step)
      if (there) there.push(value)
      else byStep.set(step, [value])
    }
  }
  const steps = [...byStep.keys()].filter(Number.isFinite).sort((one, other) => one - other)
  const every = Math.max(1, Math.ceil(steps.length / mostSteps))
  const marks = steps
    .filter((_, at) => at % every === 0 || at === steps.length - 1)
    .map((step): Mark => {
      const summary = summarize(byStep.get(step)!)
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
