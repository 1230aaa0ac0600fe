import { type Points, rowCount, rowOf } from './metrics.js'

/** The values of all series of a group at one step. */
export interface SeriesStep {
  /** The number in the column that counts the rows, else that of the row; null if the column has none there. */
  readonly step: number | null
  /** The name of that column; null if there is none. */
  readonly counter: string | null
  readonly cells: Readonly<Record<string, number>>
}

type Cells = Record<string, number>

/**
 * Puts the series of a group side by side, one row a step, in the order of the steps. Series that are counted by columns of
 * other names are in other rows, the first named one first. A step that a series has several times, as after a restart, has
 * as many rows, and what is in one row of the file stays together; values without a step have rows of their own, at the end.
 * @param points by the names of the metrics
 */
export function seriesSteps(points: ReadonlyMap<string, Points>): SeriesStep[] {
  const counters = new Map<string | null, Map<number, Cells[]>>()
  for (const { counter } of points.values()) counters.set(counter, new Map())
  const stepless: SeriesStep[] = []
  // In a usual object, an assignment to the name __proto__ would set no cell.
  const newRow = (): Cells => (points.has('__proto__') ? Object.create(null) : {})
  for (const values of fileRows(points)) {
    const places = values.map(({ step, counter }) =>
      step === null ? null : rowsAt(counters.get(counter)!, step, newRow),
    )
    const full = places.filter((rows, at) => rows !== null && Object.hasOwn(rows.at(-1)!, values[at]!.name))
    for (const rows of new Set(full)) rows!.push(newRow())
    for (const [at, { name, value, step, counter }] of values.entries()) {
      const rows = places[at]
      if (rows) rows.at(-1)![name] = value
      else stepless.push({ step, counter, cells: { [name]: value } })
    }
  }
  const counted = [...counters].flatMap(([counter, byStep]) =>
    [...byStep]
      .sort(([one], [other]) => one - other)
      .flatMap(([step, rows]) => rows.map((cells): SeriesStep => ({ step, counter, cells }))),
  )
  return [...counted, ...stepless]
}

/** The rows of a step, at least one. */
function rowsAt(byStep: Map<number, Cells[]>, step: number, newRow: () => Cells): Cells[] {
  const known = byStep.get(step)
  if (known) return known
  const rows = [newRow()]
  byStep.set(step, rows)
  return rows
}

interface Placed {
  readonly name: string
  readonly value: number
  readonly step: number | null
  readonly counter: string | null
}

/** What each row of a file has. */
function* fileRows(points: ReadonlyMap<string, Points>): Generator<Placed[]> {
  const series = Array.from(points, ([name, all]) => ({ name, all, next: 0 }))
  const rows = rowCount(points.values())
  for (let row = 0; row < rows; row++) {
    const found: Placed[] = []
    for (const each of series) {
      const { name, all, next } = each
      if (next >= all.values.length || rowOf(all, next) !== row) continue
      found.push({ name, value: all.values[next]!, step: all.steps[next] ?? null, counter: all.counter })
      each.next++
    }
    if (found.length > 0) yield found
  }
}
