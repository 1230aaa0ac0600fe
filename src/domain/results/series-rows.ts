import type { Points } from './metrics.js'

/** The values of all series of a group at one step. */
export interface SeriesStep {
  /** The number in the column that counts the rows, else that of the row; null if the column has none there. */
  readonly step: number | null
  /** The name of that column; null if there is none. */
  readonly counter: string | null
  readonly cells: Readonly<Record<string, number>>
}

/**
 * Puts the series of a group side by side, one row a step, in the order of the steps. Series that are counted by columns of
 * other names are in other rows, the first named one first. A step that a series has several times, as after a restart, has
 * as many rows; values without a step have rows of their own, at the end.
 * @param points by the names of the metrics
 */
export function seriesSteps(points: ReadonlyMap<string, Points>): SeriesStep[] {
  const counters = new Map<string | null, Map<number, Record<string, number>[]>>()
  const stepless: SeriesStep[] = []
  // In a usual object, an assignment to the name __proto__ would set no cell.
  const newRow = (): Record<string, number> => (points.has('__proto__') ? Object.create(null) : {})
  for (const [name, { values, steps, counter }] of points) {
    const known = counters.get(counter) ?? new Map<number, Record<string, number>[]>()
    counters.set(counter, known)
    for (const [at, value] of values.entries()) {
      const step = steps[at] ?? null
      if (step === null) {
        stepless.push({ step, counter, cells: { [name]: value } })
        continue
      }
      const rows = known.get(step)
      const free = rows?.find(cells => !Object.hasOwn(cells, name))
      const row = free ?? newRow()
      row[name] = value
      if (!rows) known.set(step, [row])
      else if (!free) rows.push(row)
    }
  }
  const counted = [...counters].flatMap(([counter, byStep]) =>
    [...byStep]
      .sort(([one], [other]) => one - other)
      .flatMap(([step, rows]) => rows.map((cells): SeriesStep => ({ step, counter, cells }))),
  )
  return [...counted, ...stepless]
}
