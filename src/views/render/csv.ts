import { stringify } from 'csv-stringify/sync'
import { nameOf, type Table } from '../model.js'

/**
 * A table as CSV (RFC 4180, but with a single newline at the end of a line). The items of lists are separated by blanks;
 * unknown values are empty.
 * @returns the headings and a line for each row; an empty text if there are no rows
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  const records = rows.map(row => Object.fromEntries(columns.map(column => [nameOf(column), cell(column.value(row))])))
  return stringify(records, { header: true, cast: { boolean: String } })
}

function cell(value: unknown): unknown {
  return Array.isArray(value) ? value.join(' ') : value
}
