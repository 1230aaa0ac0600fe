import { foundInColumns, type Table, textLikeNumber, usualSteps } from './columns.js'
import { type Found, kept, LeftOut, noLine, type Problem, type ReadMetrics, type Value } from './found.js'
import { asNumber, type FlatRow, isMapping, namedRows, type Row, rowsIn, seriesShapes, whatItIs } from './shapes.js'
import { looksLikeNumber } from './values.js'

/** Levels of nested metrics; a deeper value is left out. */
const deepest = 20
/** A longer list of numbers in a row of a table is left out. */
const mostItems = 100

/**
 * The metrics in a document (of JSON or YAML): numbers, texts and booleans, nested as deep as they are, series and tables. In
 * the trainer's state of Hugging Face, only the history counts.
 * @param step column that counts the rows of a table; null for the usual names
 */
export function documentMetrics(document: unknown, step: string | null): ReadMetrics {
  const rows = rowsIn(document) ?? (isMapping(document) ? rowsIn(document.log_history) : null)
  if (rows !== null) return rowMetrics(rows, step)
  const leftOut = new LeftOut()
  const reading: Reading = { step, leftOut, problems: [], found: [] }
  if (isMapping(document)) readMapping(document, reading)
  else reading.problems.push({ text: 'it holds no mapping of names to values', line: null })
  return kept(reading.found, [...reading.problems, ...leftOut.problems(noLine)])
}

interface Reading {
  readonly step: string | null
  readonly leftOut: LeftOut
  readonly problems: Problem[]
  readonly found: Found[]
}

/** Reads names and values, with the levels of names joined by dots. */
function readMapping(mapping: Row, reading: Reading, prefix = '', depth = 1): void {
  for (const key of Object.keys(mapping)) {
    const value = mapping[key]
    const name = prefix + key
    const single = singleValue(value)
    if (single !== null) {
      if (typeof single === 'string' && looksLikeNumber(single)) reading.leftOut.add(name, textLikeNumber, null)
      reading.found.push({ name, value: single, only: null, isOld: false })
    } else if (!readSeries(name, value, reading) && !readRows(name, value, reading)) {
      const named = depth < deepest ? namedRows(value) : null
      if (named) readMapping(Object.fromEntries(named), reading, `${name}.`, depth + 1)
      else if (isMapping(value) && depth < deepest) readMapping(value, reading, `${name}.`, depth + 1)
      else leave(name, value, reading.leftOut, null)
    }
  }
}

/** Null for what is no single value. */
function singleValue(value: unknown): number | boolean | string | null {
  if (typeof value === 'string') return asNumber(value) ?? value
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** @returns whether the value is a series */
function readSeries(name: string, value: unknown, { found, problems }: Reading): boolean {
  if (typeof value !== 'object' || value === null) return false
  const points = firstOf(seriesShapes, shape => shape.points(value))
  if (points === null) return false
  const items = Array.isArray(value) ? value.filter(each => each !== null) : points.values
  const others = items.length - points.values.length
  if (others > 0)
    problems.push({ text: `${others} of ${items.length} values of '${name}' are not numbers`, line: null })
  found.push({ name, value: points, only: null, isOld: others > 0 && asNumber(items.at(-1)) === null })
  return true
}

/** @returns whether the value is a table that a column counts */
function readRows(name: string, value: unknown, { step, found, problems }: Reading): boolean {
  const rows = rowsIn(value)
  const isCounter = step === null ? (key: string) => usualSteps.includes(key) : (key: string) => key === step
  if (!rows?.some(row => Object.keys(row).some(isCounter))) return false
  const inside = new LeftOut()
  const table = new RowTable(inside)
  for (const row of rows) table.add(row)
  const read = foundInColumns(table.table(), step, inside)
  problems.push(
    ...[...read.problems, ...inside.problems(noLine)].map(({ text, line }) => ({ text: `${name}: ${text}`, line })),
  )
  for (const each of read.found) found.push({ ...each, name: `${name}.${each.name}` })
  return true
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | null): Result | null {
  for (const item of items) {
    const result = find(item)
    if (result !== null) return result
  }
  return null
}

function leave(name: string, value: unknown, leftOut: LeftOut, row: number | null): void {
  const what = whatItIs(value)
  if (what !== null) leftOut.add(name, what, row)
}

/** What is known of rows once all are read. */
type Ending = Pick<Table, 'problems' | 'isCut' | 'lineOf'>

const wholeRows: Ending = { problems: [], isCut: false, lineOf: noLine }

/**
 * The metrics in rows of JSON, which may be sparse and nested. A single row that nothing counts is a document.
 * @param ending says what was wrong with the rows once all are read
 */
export function rowMetrics(rows: Iterable<Row>, step: string | null, ending = () => wholeRows): ReadMetrics {
  const table = new RowTable()
  for (const row of rows) table.add(row)
  return table.metrics(step, ending())
}

/** The columns of rows, which may become more. The rows are not kept: there may be a million. */
export class RowTable {
  private readonly columns = new Map<string, (Value | null)[]>()
  private count = 0
  private first: Row = {}

  constructor(private readonly leftOut = new LeftOut()) {}

  add(row: Row): void {
    const { columns, count } = this
    if (count === 0) this.first = row
    const flat = flatRow(row, this.leftOut, count)
    for (const name in flat) {
      const column = columns.get(name) ?? []
      if (column.length === 0) columns.set(name, column)
      while (column.length < count) column.push(null)
      column[count] = flat[name]!
    }
    this.count++
  }

  table(): Table {
    for (const column of this.columns.values()) while (column.length < this.count) column.push(null)
    return { columns: this.columns, count: this.count, ...wholeRows }
  }

  /** See {@link rowMetrics}. */
  metrics(step: string | null, { problems, isCut, lineOf } = wholeRows): ReadMetrics {
    const table = this.table()
    const isCounted = step !== null || usualSteps.some(name => table.columns.has(name))
    if (table.count === 1 && !isCounted) {
      const read = documentMetrics(this.first, step)
      return { ...read, problems: [...problems, ...read.problems] }
    }
    const read = foundInColumns({ ...table, problems, isCut, lineOf }, step, this.leftOut)
    return kept(read.found, [...problems, ...read.problems, ...this.leftOut.problems(lineOf)])
  }
}

/** A row without nested values; null stands for no value. */
function flatRow(row: Row, leftOut: LeftOut, at: number): FlatRow {
  for (const name in row) {
    const value = row[name]
    const isFlat =
      value === null || (typeof value !== 'object' && (typeof value === 'number' || asNumber(value) === null))
    if (!isFlat) return joinedRow(row, leftOut, at)
  }
  return row as FlatRow
}

function joinedRow(row: Row, leftOut: LeftOut, at: number): FlatRow {
  const cells = new Map<string, Value | null>()
  for (const [name, value] of cellsOf(row, leftOut, at)) {
    if (cells.has(name)) leftOut.add(name, 'there twice in a row, of which the last counts', at)
    cells.set(name, value)
  }
  return Object.fromEntries(cells)
}

/** The items of a list have a column each: what is below them are other steps, not other items. */
function* cellsOf(row: Row, leftOut: LeftOut, at: number, prefix = '', depth = 1): Generator<[string, Value | null]> {
  for (const [key, value] of Object.entries(row)) {
    const name = prefix + key
    const single = singleValue(value)
    if (single !== null || value === null) yield [name, single]
    else if (isMapping(value) && depth < deepest) yield* cellsOf(value, leftOut, at, `${name}.`, depth + 1)
    else if (isShort(value)) for (const [place, item] of value.entries()) yield [`${name}.${place}`, asNumber(item)]
    else if (Array.isArray(value))
      leftOut.add(name, `a list in a row, and no list of up to ${mostItems} numbers, which is left out`, at)
    else leave(name, value, leftOut, at)
  }
}

function isShort(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) && value.length <= mostItems && value.every(item => item === null || asNumber(item) !== null)
  )
}
