import { sqlName } from '../../domain/text/sql-name.js'
import type { ViewColumns } from '../../operations/results/query.js'
import type { QueryResult } from '../../store/queries/query.js'
import type { SqlValue } from '../../store/queries/query-view.js'
import { aligned } from '../format/aligned.js'
import type { Style } from '../format/style.js'
import { csvLine, csvLines } from '../render/csv.js'
import { finiteJson, type JsonObject } from '../render/json.js'
import { terminalTable } from '../render/terminal.js'

type Row = readonly SqlValue[]

const rowsAtOnce = 500

/** The result of a query for people. */
export function queryText({ columns, rows }: QueryResult, style: Style): string {
  const cells = columns.map((key, at) => ({ key, value: (row: Row) => plain(row[at]!) }))
  return terminalTable({ columns: cells, rows: [...rows] }, style, 'whole')
}

/** The result of a query as CSV in pieces: the headings, then a line for each row. */
export function* queryCsv({ columns, rows }: QueryResult): Generator<string> {
  yield csvLine(columns)
  const values = columns.map((_, at) => (row: Row) => exact(row[at]!))
  let some: Row[] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < rowsAtOnce) continue
    yield csvLines(some, values)
    some = []
  }
  yield csvLines(some, values)
}

/** The result of a query: numbers are numbers, but for infinity and whole numbers beyond 2^53, which are texts. */
export function queryJson({ columns, rows }: QueryResult): JsonObject {
  const object = (row: Row) => Object.fromEntries(columns.map((name, at) => [name, plain(row[at]!)]))
  return { columns, rows: Array.from(rows, object) }
}

/** The views that a query can name, one a line, with their columns. */
export function viewsText(views: readonly ViewColumns[]): string {
  return aligned(views.map(({ view, columns }) => [sqlName(view), columns.map(sqlName).join(', ')]))
}

/** The same for programs. */
export function viewsJson(views: readonly ViewColumns[]): JsonObject {
  return { views: views.map(({ view, columns }) => ({ name: view, columns })) }
}

/** JSON has no infinity. */
function plain(value: SqlValue): string | number | null {
  return finiteJson(exact(value)) as string | number | null
}

/** Bytes are hexadecimal. */
function exact(value: SqlValue): string | number | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value
}
