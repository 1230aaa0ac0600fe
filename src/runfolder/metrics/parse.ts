import { type Table, tableMetrics, withNamesAcross } from '../../domain/results/reading/columns.js'
import type { Problem, ReadMetrics } from '../../domain/results/reading/found.js'
import type { Row } from '../../domain/results/reading/shapes.js'
import { typedValue, withoutMissing } from '../../domain/results/reading/values.js'
import { losesDigits } from './digits.js'
import {
  brokenLines,
  growingLines,
  isJsonLines,
  isJsonOverLines,
  type Lines,
  readJson,
  readJsonLines,
  rowsInLines,
} from './json.js'
import type { Delimiter } from './records.js'
import { GrowingTable, readTable } from './table.js'
import { readYaml } from './yaml.js'

/** A form of files that hold metrics. */
interface Form {
  readonly name: string
  /** Whether a file has it. @param end of its name, without the dot */
  readonly fits: (end: string, text: string) => boolean
  /** @throws Error of the parser if the text is not of that form */
  readonly read: (text: string, step: string | null, end: string) => ReadMetrics
  /** What reads it line by line; none if a file of it is written anew as a whole. */
  readonly growing?: (step: string | null, end: string) => GrowingText
}

/** What was read of a text that grows. */
export interface GrowingText {
  /** @param text more whole lines @returns how much of it was read; the rest has to come again with more */
  add(text: string): number
  metrics(): ReadMetrics
}

/** The first one that fits a file counts. */
const forms: readonly Form[] = [
  { name: 'JSON', fits: (end, text) => /^jsonl?$/.test(end) && isJsonOverLines(text), read: readJson },
  {
    name: 'JSON Lines',
    fits: (end, text) => end === 'jsonl' || isJsonLines(text),
    read: readJsonLines,
    growing: growingLines,
  },
  { name: 'JSON', fits: end => end === 'json', read: readJson },
  { name: 'YAML', fits: end => end === 'yaml' || end === 'yml', read: readYaml },
  {
    name: 'a table',
    fits: () => true,
    read: (text, step, end) => tableMetrics(withNamesAcross(readTable(text, delimiterIn(end), typedValue)), step),
    growing: (step, end) => {
      const rows = new GrowingTable(delimiterIn(end))
      return { add: text => rows.add(text), metrics: () => tableMetrics(withNamesAcross(rows.table()), step) }
    },
  },
]

function delimiterIn(end: string): Delimiter {
  return end === 'tsv' ? '\t' : ','
}

/**
 * The metrics in the text of a file, by what it holds and by the end of its name.
 * @param step the column that counts its rows; null for the usual names
 * @throws Error of the parser if the text is not of that form
 */
export function parseMetricFile(name: string, text: string, step: string | null): ReadMetrics {
  const { form, end } = formOf(name, text)
  const read = form.read(text, step, end)
  if (!losesDigits(end, text)) return read
  const lost = { text: 'of whole numbers beyond 2^53, the last digits are lost', line: null }
  return { ...read, problems: [...read.problems, lost] }
}

/** What reads a file line by line as it grows; null if it has a form that is written anew as a whole. @param text its first lines */
export function growingText(name: string, text: string, step: string | null): GrowingText | null {
  const { form, end } = formOf(name, text)
  return form.growing?.(step, end) ?? null
}

function formOf(name: string, text: string): { form: Form; end: string } {
  const end = name.slice(name.lastIndexOf('.') + 1)
  return { form: forms.find(each => each.fits(end, text))!, end }
}

/** The rows of a table, and what was wrong with it. */
export interface TableRows {
  readonly rows: readonly Row[]
  readonly problems: readonly Problem[]
}

/** The rows of a file whose name ends with .csv, .tsv or .jsonl. @param typed what a cell of a table is */
export function parseRows(name: string, text: string, typed: (cell: string) => unknown = typedValue): TableRows {
  if (!name.endsWith('.jsonl')) return rowsOfTable(readTable(text, name.endsWith('.csv') ? ',' : '\t', typed))
  const lines: Lines = { broken: [], lastRow: 0 }
  return { rows: [...rowsInLines(text, lines)], problems: brokenLines(lines) }
}

function rowsOfTable({ columns, count, problems }: Table<unknown>): TableRows {
  const filled = Array.from(columns, ([name, cells]) => [name, withoutMissing(cells)] as const)
  const rows = Array.from({ length: count }, (_, at) => {
    // Not by Object.fromEntries, which takes several times as long: there may be 100,000 rows. But in a usual object, an
    // assignment to the name __proto__ would set no cell.
    const row: Record<string, unknown> = columns.has('__proto__') ? Object.create(null) : {}
    for (const [name, cells] of filled) row[name] = cells[at]
    return row
  })
  return { rows, problems }
}
