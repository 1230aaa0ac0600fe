import { type Metric, numberOf, type Points, rowCount, rowOf, seriesOf } from '../metrics.js'
import type { ReadMetrics } from './found.js'

/**
 * Joins what a later start of a script has left to what an earlier one had. At a step that both have, the later value counts.
 * @returns null if the later start did not go on, but began again
 */
export function continued(earlier: ReadMetrics, later: ReadMetrics): ReadMetrics | null {
  const metrics = new Map<string, Metric>(Object.entries(earlier.metrics))
  const points = new Map(earlier.points)
  const rowsBefore = rowCount(earlier.points.values())
  for (const [name, metric] of Object.entries(later.metrics)) {
    const own = moved(later.points.get(name), rowsBefore)
    if (metrics.has(name)) {
      const joined = joinedPoints(earlier.points.get(name), own)
      if (joined === null) return null
      points.set(name, joined)
      metrics.set(name, { ...seriesOf(joined), last: numberOf(metric)! })
    } else {
      metrics.set(name, metric)
      if (own) points.set(name, own)
    }
  }
  return { metrics: Object.fromEntries(metrics), points, problems: [...earlier.problems, ...later.problems] }
}

/** The same points, in rows below others. */
function moved(points: Points | undefined, rows: number): Points | undefined {
  return points && { ...points, rows: points.values.map((_, at) => rowOf(points, at) + rows) }
}

/** Null if they have nothing in common that counts them, or if the later ones begin where the earlier ones did. */
function joinedPoints(earlier: Points | undefined, later: Points | undefined): Points | null {
  if (!earlier || !later || later.counter === null || earlier.counter !== later.counter) return null
  const [before, first] = [firstStep(earlier), firstStep(later)]
  if (!(first > before)) return null
  const isKept = (_: unknown, at: number) => (earlier.steps[at] ?? first) < first
  const rowsOf = ({ values, rows }: Points) => rows ?? values.map((_, at) => at)
  return {
    values: [...earlier.values.filter(isKept), ...later.values],
    steps: [...earlier.steps.filter(isKept), ...later.steps],
    counter: later.counter,
    rows: [...rowsOf(earlier).filter(isKept), ...rowsOf(later)],
  }
}

function firstStep({ steps }: Points): number {
  return steps.reduce((least: number, step) => Math.min(least, step ?? least), Number.POSITIVE_INFINITY)
}

/** Whether an earlier start has counted values that a later one, which began again, does not have. */
export function hasOthers(earlier: ReadMetrics, later: ReadMetrics): boolean {
  return [...earlier.points].some(([name, { values, steps, counter }]) => {
    if (counter === null) return false
    const other = later.points.get(name)
    const known = new Map(other?.steps.map((step, at) => [step, other.values[at]]))
    return values.some((value, at) => !Object.is(known.get(steps[at]!), value))
  })
}

/** The same metrics with a text before their names. */
export function withPrefix({ metrics, points, problems }: ReadMetrics, prefix: string): ReadMetrics {
  return {
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [prefix + name, metric])),
    points: new Map([...points].map(([name, series]) => [prefix + name, series])),
    problems,
  }
}
