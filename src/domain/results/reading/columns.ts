import type { Points } from '../metrics.js'
import { type Found, kept, LeftOut, type LineOf, type Problem, type ReadMetrics, type Value } from './found.js'
import { looksLikeNumber, withoutMissing } from './values.js'

/** Columns that count the rows of a table if no other is declared, and are no metrics then. */
export const usualSteps = ['step', 'epoch']

/** What a table holds, whatever its form. */
export interface Table<Cell = Value | null> {
  /** By their names: the value of each row, null where it has none. */
  readonly columns: ReadonlyMap<string, readonly (Cell | null)[]>
  /** How many rows it has. */
  readonly count: number
  readonly problems: readonly Problem[]
  readonly lineOf: LineOf
  /** Whether rows at its end are not among them. */
  readonly isCut: boolean
}

/** The metrics in a table, see {@link foundInColumns}. @param step the column that counts its rows; null for the usual names */
export function tableMetrics(table: Table, step: string | null): ReadMetrics {
  const leftOut = new LeftOut()
  const { found, problems } = foundInColumns(table, step, leftOut)
  return kept(found, [...table.problems, ...problems, ...leftOut.problems(table.lineOf)])
}

/**
 * A table of two columns that has names beside values, of which each is a metric: without a header, as of fastText, or below
 * one without a name, as pandas writes a series. Any other table stays.
 */
export function withNamesAcross(table: Table): Table {
  const [[left, names] = [], [right, values] = [], ...others] = table.columns
  if (values === undefined || others.length > 0) return table
  const hasHeader = left === ''
  if (!hasHeader && !(looksLikeNumber(right!) && !looksLikeNumber(left!))) return table
  const pairs: [unknown, Value | null][] = hasHeader ? [] : [[left, Number(right)]]
  for (const [at, name] of names!.entries()) pairs.push([name, values[at]!])
  const areNames = pairs.length > 0 && pairs.every(([name]) => typeof name === 'string')
  if (!areNames || new Set(pairs.map(([name]) => name)).size < pairs.length) return table
  return { ...table, columns: new Map(pairs.map(([name, value]) => [name as string, [value]])), count: 1 }
}

/**
 * The metrics in the columns of a table, in the order in which their values begin. A column with one value becomes that
 * value, and a column with several numbers becomes a series. The last value counts in a column of texts. A column without a
 * name has the numbers of rows.
 */
export function foundInColumns(
  { columns: all, count, isCut, problems: known, lineOf }: Table,
  step: string | null,
  leftOut: LeftOut,
): { found: Found[]; problems: Problem[] } {
  const isStep = step === null ? usualSteps : [step]
  const columns = new Map([...all].map(([name, cells]) => [name, withoutMissing(cells)]))
  const begins = new Map([...columns].map(([name, cells]) => [name, cells.findIndex(cell => cell !== null)]))
  const names = [...columns.keys()].filter(name => begins.get(name)! >= 0 && name !== '')
  names.sort((one, other) => begins.get(one)! - begins.get(other)!)
  const named = isStep.filter(name => names.includes(name)).map(name => counterOf(name, columns.get(name)!))
  const counters = named.length > 0 ? named : [{ name: null, steps: Array.from({ length: count }, (_, at) => at) }]
  const problems: Problem[] = []
  if (count === 0 && known.length === 0) problems.push({ text: 'it has no rows', line: null })
  else if (count > 0 && step !== null && named.length === 0)
    problems.push({ text: `it has no column '${step}'`, line: null })
  const found = names
    .filter(name => !isStep.includes(name))
    .map(name => {
      const cells = columns.get(name)!
      const { others, ...read } = columnValue(cells, counters)
      const isOther = (cell: Value | null) => cell !== null && typeof cell !== 'number'
      if (others !== '')
        problems.push({ text: `${others} values of '${name}' are not numbers`, line: lineOf(cells.findIndex(isOther)) })
      if (typeof read.value === 'string' && looksLikeNumber(read.value))
        leftOut.add(name, textLikeNumber, cells.findIndex(isOther))
      return { name, ...read, isOld: read.isOld || isCut }
    })
  return { found, problems }
}

/** Of what is shown, but not left out of everything. */
export const textLikeNumber = 'a text that looks like a number, and counts in no mean and no plot'

/** What counts the rows of a table: a column, or nothing but their order. */
interface Counter {
  readonly name: string | null
  /** Of each row; null where there is none. Series share it: there may be a million rows. */
  readonly steps: readonly (number | null)[]
}

function counterOf(name: string, cells: readonly (Value | null)[]): Counter {
  return { name, steps: areNumbers(cells) ? cells : cells.map(cell => (typeof cell === 'number' ? cell : null)) }
}

/** @returns others: `1 of 3` if not all values are numbers; empty if all are, or none */
function columnValue(
  cells: readonly (Value | null)[],
  counters: readonly Counter[],
): Omit<Found, 'name'> & { others: string } {
  // A table may have rows of two kinds, each counted by a column of its own.
  const isCounting = ({ steps }: Counter) => cells.some((cell, at) => cell !== null && steps[at] !== null)
  const { name, steps: all } = counters.find(isCounting) ?? counters[0]!
  if (cells.length > 1 && areNumbers(cells))
    return { value: { values: cells, steps: all, counter: name, rows: null }, only: null, isOld: false, others: '' }
  const values: number[] = []
  const steps: (number | null)[] = []
  const rows: number[] = []
  let filled = 0
  let last: Value | null = null
  // Not by flatMap, which takes three times as long: there may be 100,000 rows.
  for (let at = 0; at < cells.length; at++) {
    const value = cells[at]!
    if (value === null) continue
    filled++
    last = value
    if (typeof value !== 'number') continue
    values.push(value)
    steps.push(all[at]!)
    rows.push(at)
  }
  const points: Points = { values, steps, counter: name, rows }
  const isCounted = name !== null || cells.length > 1
  if (values.length === 0 || filled === 1)
    return { value: last!, only: values.length > 0 && isCounted ? points : null, isOld: false, others: '' }
  const others = filled - values.length
  return {
    value: points,
    only: null,
    isOld: typeof last !== 'number',
    others: others > 0 ? `${others} of ${filled}` : '',
  }
}

function areNumbers(cells: readonly (Value | null)[]): cells is readonly number[] {
  for (let at = 0; at < cells.length; at++) if (typeof cells[at] !== 'number') return false
  return true
}
