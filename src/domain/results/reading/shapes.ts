import type { Points } from '../metrics.js'
import type { Value } from './found.js'
import { notFinite } from './values.js'

/** Names and values of JSON or YAML. */
export type Row = Readonly<Record<string, unknown>>

/** A value of JSON or YAML that is a series. The first shape that fits counts. */
interface Shape {
  /** What the documentation calls it. */
  readonly name: string
  /** Null if the value has another shape. */
  readonly points: (value: unknown) => Points | null
}

export const seriesShapes: readonly Shape[] = [
  { name: 'a list of numbers', points: numbersIn },
  { name: 'steps beside values', points: stepsAndValues },
  { name: 'lists of time, step and value', points: timedValues },
  { name: 'lists of round and value', points: countedValues },
]

/** A number, or one of the texts that stand for what JSON has no number for. Null for anything else. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? notFinite(value) : null
}

/** The numbers in a list. Any other item is a step without a number. Null if the list has no number. */
function numbersIn(list: unknown): Points | null {
  if (!Array.isArray(list)) return null
  const values: number[] = []
  const steps: number[] = []
  for (const [step, each] of list.entries()) {
    const number = asNumber(each)
    if (number === null) continue
    values.push(number)
    steps.push(step)
  }
  return values.length > 0 ? { values, steps, counter: null, rows: null } : null
}

/** Sacred writes `{"steps": [0, 10], "values": [2, 1], "timestamps": […]}`. */
function stepsAndValues(value: unknown): Points | null {
  if (!isMapping(value)) return null
  const [steps, values] = [value.steps, value.values].map(wholeList)
  return steps && values && steps.length === values.length ? { values, steps, counter: 'step', rows: null } : null
}

/** All items of a list, if they are numbers. */
function wholeList(list: unknown): number[] | null {
  if (!Array.isArray(list) || list.length === 0) return null
  const numbers = list.map(asNumber)
  return numbers.includes(null) ? null : (numbers as number[])
}

/** TensorBoard writes `[[1795761353.2, 0, 2], [1795761354.7, 10, 1]]`, with seconds since the epoch. */
function timedValues(value: unknown): Points | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const rows = value.map(wholeList)
  const isTimed = rows.every(row => row?.length === 3 && row[0]! > 1e9 && Number.isInteger(row[1]))
  if (!isTimed) return null
  return { values: rows.map(row => row![2]!), steps: rows.map(row => row![1]!), counter: 'step', rows: null }
}

/**
 * The history of Flower has `[[1, 2], [2, 1.5], [3, 1]]`. A matrix of two columns has two rows: a table of three, which begin
 * with the numbers from 0 or 1 on, is none.
 */
function countedValues(value: unknown): Points | null {
  if (!Array.isArray(value) || value.length < 3) return null
  const rows = value.map(wholeList)
  const first = rows[0]?.[0]
  const isCounted = (first === 0 || first === 1) && rows.every((row, at) => row?.length === 2 && row[0] === first + at)
  if (!isCounted) return null
  return { values: rows.map(row => row![1]!), steps: rows.map(row => row![0]!), counter: 'step', rows: null }
}

/** Rows of a table: a list of mappings, or as pandas writes them with orient='split'. Null for anything else. */
export function rowsIn(value: unknown): readonly Row[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isMapping) ? value : null
  if (!isMapping(value)) return null
  const { columns, data } = value
  const isSplit =
    Array.isArray(columns) &&
    columns.every(name => typeof name === 'string') &&
    Array.isArray(data) &&
    data.every(cells => Array.isArray(cells) && cells.length === columns.length)
  return isSplit ? data.map(cells => Object.fromEntries(columns.map((name, at) => [name, cells[at]]))) : null
}

/** More items of a list have no names of their own. */
const mostNamed = 100

/**
 * The mappings in a list by their names: benchmarks, jobs, commands. A name is the first text that all of them have, each
 * another one. Null for anything else.
 */
export function namedRows(value: unknown): ReadonlyMap<string, Row> | null {
  const rows = Array.isArray(value) && value.length <= mostNamed ? rowsIn(value) : null
  if (rows === null) return null
  const isName = (text: unknown) => typeof text === 'string' && text.trim() !== '' && text.length <= mostNamed
  const areNames = (key: string) =>
    rows.every(row => isName(row[key])) && new Set(rows.map(row => row[key])).size === rows.length
  const found = Object.keys(rows[0]!).find(areNames)
  if (found === undefined) return null
  return new Map(rows.map(({ [found]: name, ...row }) => [name as string, row]))
}

export function isMapping(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value is that is not read; null if it holds nothing that could be missed. */
export function whatItIs(value: unknown): string | null {
  if (Array.isArray(value)) {
    if (value.some(Array.isArray)) return 'a list of lists, which is left out'
    return value.some(isMapping) ? 'a list of mappings without a column that counts them, which is left out' : null
  }
  return isMapping(value) ? 'nested too deep, and left out' : null
}

export type FlatRow = Readonly<Record<string, Value | null>>
