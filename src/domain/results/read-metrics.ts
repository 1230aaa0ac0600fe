import { type Metric, type Metrics, type Points, type Series, seriesOf } from './metrics.js'

/** Metrics that were read, and what was wrong, each a text without the name of the file. */
export interface ReadMetrics {
  readonly metrics: Metrics
  readonly problems: readonly string[]
  /** All values of the metrics that are series, and the only one of a column that is a series of one step. */
  readonly points: ReadonlyMap<string, Points>
}

type Value = Exclude<Metric, Series> | Points

/** A row of a table: a value by the name of its column; columns without a value may be missing. */
export type Row = Readonly<Record<string, unknown>>

/** A file with more metrics is not a file of metrics. */
const mostMetrics = 1_000
/** Levels of nested metrics; a deeper value is left out. */
const deepest = 20

/** Columns that count the rows of a table if no other is declared, and are no metrics then. */
const usualSteps = ['step', 'epoch']

/**
 * The metrics in a document (of JSON or YAML): numbers, texts and booleans, nested as deep as they are. A list of numbers is
 * a series, a list of mappings a table. In the trainer's state of Hugging Face, only the history counts.
 * @param step column that counts the rows of a table; null for the usual names
 */
export function documentMetrics(document: unknown, step: string | null): ReadMetrics {
  if (isRows(document)) return tableMetrics(document, step)
  if (!isMapping(document))
    return { metrics: {}, problems: ['it holds no mapping of names to values'], points: new Map() }
  if (isRows(document.log_history)) return tableMetrics(document.log_history, step)
  const problems: string[] = []
  const read = limited(flattened(document, problems))
  return { ...read, problems: [...read.problems, ...problems] }
}

/** The metrics in a table; see {@link columnMetrics}. Rows may be sparse. */
export function tableMetrics(rows: readonly Row[], step: string | null): ReadMetrics {
  const columns = new Map<string, (Value | null)[]>()
  for (const [at, row] of rows.entries()) {
    const flat = flatRow(row)
    for (const name in flat) {
      const column = columns.get(name) ?? new Array<Value | null>(rows.length).fill(null)
      column[at] = flat[name]!
      columns.set(name, column)
    }
  }
  return columnMetrics(columns, step)
}

/** The columns of a table by their names: the value of each row, null where it has none. */
export type Columns = ReadonlyMap<string, readonly (Value | null)[]>

/**
 * The metrics in the columns of a table, in the order in which their values begin. A column with one value becomes that
 * value, and a column with several numbers becomes a series. The last value counts in a column of texts.
 */
export function columnMetrics(all: Columns, step: string | null): ReadMetrics {
  const isStep = step === null ? usualSteps : [step]
  const begins = new Map([...all].map(([name, cells]) => [name, cells.findIndex(cell => cell !== null)]))
  const names = [...all.keys()].filter(name => begins.get(name)! >= 0)
  names.sort((one, other) => begins.get(one)! - begins.get(other)!)
  const counter = isStep.find(name => names.includes(name)) ?? null
  const problems = step !== null && counter === null ? [`it has no column '${step}'`] : []
  const columns = names.filter(name => !isStep.includes(name))
  const steps = counter === null ? null : all.get(counter)!
  const read = columns.map(name => columnValue(name, all.get(name)!, counter, steps))
  const whole = limited(columns.map((name, at) => [name, read[at]!.value]))
  const points = new Map(whole.points)
  for (const [at, { only }] of read.entries())
    if (only && Object.hasOwn(whole.metrics, columns[at]!)) points.set(columns[at]!, only)
  const more = [...whole.problems, ...read.flatMap(({ problem }) => problem)]
  return { metrics: whole.metrics, points, problems: [...problems, ...more] }
}

interface ColumnValue {
  readonly value: Value
  /**
   * The series of a column with a single number, if the table has several rows or a column that counts them; else null.
   */
  readonly only: Points | null
  readonly problem: string[]
}

/** @param counted the values of the column that counts the rows; null if there is none */
function columnValue(
  name: string,
  cells: readonly (Value | null)[],
  counter: string | null,
  counted: readonly (Value | null)[] | null,
): ColumnValue {
  const values: number[] = []
  const steps: (number | null)[] = []
  let filled = 0
  let last: Value | null = null
  // Not by flatMap, which takes three times as long: there may be 100,000 rows.
  for (let at = 0; at < cells.length; at++) {
    const value = cells[at]!
    if (value === null) continue
    filled++
    last = value
    if (typeof value !== 'number') continue
    const step = counted === null ? at : counted[at]
    values.push(value)
    steps.push(typeof step === 'number' ? step : null)
  }
  const points = { values, steps, counter }
  if (values.length === 0) return { value: last!, only: null, problem: [] }
  if (filled === 1) return { value: last!, only: counter !== null || cells.length > 1 ? points : null, problem: [] }
  const others = filled - values.length
  return {
    value: points,
    only: null,
    problem: others > 0 ? [noNumbers(others, filled, name)] : [],
  }
}

function noNumbers(others: number, filled: number, name: string): string {
  return `${others} of ${filled} values of '${name}' are not numbers`
}

/** A row without nested values; null stands for no value. */
type FlatRow = Readonly<Record<string, Value | null>>

function flatRow(row: Row): FlatRow {
  for (const name in row) {
    const value = row[name]
    const isFlat =
      value === null || (typeof value !== 'object' && (typeof value === 'number' || asNumber(value) === null))
    if (!isFlat) return Object.fromEntries(flattened(row, null))
  }
  return row as FlatRow
}

/** A value as it is written in a table without types: a number, true or false, or text. Null for an empty one. */
export function typedValue(text: string): number | boolean | string | null {
  const word = text.trim()
  if (word === '') return null
  if (/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(word)) return Number(word)
  if (/^[-+]?nan$/i.test(word)) return Number.NaN
  if (/^[-+]?inf(inity)?$/i.test(word))
    return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return /^(true|false)$/i.test(word) ? word.toLowerCase() === 'true' : text
}

/**
 * Names and values, with the levels of names joined by dots; lists without a number are left out.
 * @param problems gets a text about each list that has other things among its numbers; null to leave such lists out
 */
function flattened(mapping: Row, problems: string[] | null, prefix = '', depth = 1): [string, Value][] {
  return Object.entries(mapping).flatMap(([key, value]): [string, Value][] => {
    const name = prefix + key
    if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]]
    if (typeof value === 'string') return [[name, asNumber(value) ?? value]]
    if (!Array.isArray(value))
      return isMapping(value) && depth < deepest ? flattened(value, problems, `${name}.`, depth + 1) : []
    const listed = pointsOfList(value)
    if (listed === null) return []
    const filled = value.filter(each => each !== null).length
    const others = filled - listed.values.length
    if (others === 0) return [[name, listed]]
    if (problems === null) return []
    problems.push(noNumbers(others, filled, name))
    return [[name, listed]]
  })
}

function limited(entries: readonly (readonly [string, Value])[]): ReadMetrics {
  const problems = entries.length > mostMetrics ? [`only ${mostMetrics} of its ${entries.length} metrics are kept`] : []
  const kept = entries.slice(0, mostMetrics)
  const series = kept.filter((entry): entry is [string, Points] => typeof entry[1] === 'object')
  return {
    metrics: Object.fromEntries(
      kept.map(([name, value]): [string, Metric] => [name, typeof value === 'object' ? seriesOf(value) : value]),
    ),
    problems,
    points: new Map(series),
  }
}

/** A number, or one of the texts that JSON needs for what is not finite. Null for anything else. */
function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : null
}

/** The series of the numbers in a list. Any other item is a step without a number. Null if the list has no number. */
function pointsOfList(list: readonly unknown[]): Points | null {
  const values: number[] = []
  const steps: number[] = []
  for (const [step, each] of list.entries()) {
    const number = asNumber(each)
    if (number === null) continue
    values.push(number)
    steps.push(step)
  }
  return values.length > 0 ? { values, steps, counter: null } : null
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMapping)
}

function isMapping(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
