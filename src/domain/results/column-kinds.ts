import type { Metric } from './metrics.js'

/**
 * A cell of a table of groups; null if the group does not have it. A whole number of 64 bits that a double does not hold is
 * a bigint.
 */
export type CollectedValue = string | number | bigint | boolean | null

/**
 * What the cells of a column are: `time` is text in ISO 8601; `mixed` if they are of several kinds, `mixed_integer` if all
 * numbers among them are whole.
 */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'text' | 'time' | 'mixed' | 'mixed_integer'

/** What formats may lack. */
export type NotFinite = 'NaN' | 'infinity'

/** The kinds of the cells of columns, by the names of these. */
export type Kinds = Map<string, Set<string>>

/** The kinds of a column, which may be a new one. */
export function kindsIn(all: Kinds, name: string): Set<string> {
  const known = all.get(name)
  if (known) return known
  const kinds = new Set<string>()
  all.set(name, kinds)
  return kinds
}

/** The kind of a cell. A word for a number that JSON lacks is one, unless there are texts beside it. */
export function kindOf(cell: NonNullable<CollectedValue>): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'integer' : kindOfNumber(cell)
  if (typeof cell === 'string' && /^(NaN|-?Infinity)$/.test(cell)) return kindOfNumber(Number(cell))
  return typeof cell
}

function kindOfNumber(number: number): string {
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return 'infinity'
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63 ? 'whole' : 'number'
}

/** Notes the kinds of a metric: a series has a range, too. */
export function noteMetric(kinds: Set<string>, metric: Metric): void {
  kinds.add(typeof metric)
  if (typeof metric === 'number') noteNotFinite(kinds, metric, '')
  if (typeof metric !== 'object') return
  noteNotFinite(kinds, metric.last, '')
  noteNotFinite(kinds, metric.min, inRange)
  noteNotFinite(kinds, metric.max, inRange)
}

const inRange = ' in range'

function noteNotFinite(kinds: Set<string>, number: number, where: string): void {
  if (!Number.isFinite(number)) kinds.add(kindOfNumber(number) + where)
}

/** The kinds of the columns for the smallest and the largest value of a metric. */
export function ofRange(kinds: ReadonlySet<string>): ReadonlySet<string> {
  const found = [...kinds].filter(kind => kind.endsWith(inRange))
  return new Set(['number', ...found.map(kind => kind.slice(0, -inRange.length))])
}

/** What is among the numbers of a column; nothing if it is text, which has words for all. */
export function notFiniteIn(kinds: ReadonlySet<string>): NotFinite[] {
  return typeOf(kinds) === 'number' ? (['NaN', 'infinity'] as const).filter(kind => kinds.has(kind)) : []
}

/** A series is a number for its cells. Beside whole numbers that a double does not hold, others have to be whole, too. */
export function typeOf(kinds: ReadonlySet<string>): ColumnType {
  const own = [...kinds].filter(kind => !kind.endsWith(inRange))
  const only = (...allowed: string[]) => own.every(kind => allowed.includes(kind))
  if (only('integer') || (kinds.has('bigint') && only('integer', 'whole', 'bigint'))) return 'integer'
  if (only('integer', 'whole', 'number', 'object', 'NaN', 'infinity')) return 'number'
  if (only('boolean')) return 'boolean'
  if (only('string')) return 'text'
  return only('integer', 'boolean', 'string') ? 'mixed_integer' : 'mixed'
}
