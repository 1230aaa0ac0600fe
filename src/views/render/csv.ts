import { stringify } from 'csv-stringify/sync'
import { nameOf, type Table } from '../model.js'

/**
 * A table for other programs, as RFC 4180 describes it, but with a newline alone at the end of a line. Lists are written
 * with a blank between their items, what is not known as nothing.
 * @returns the headings and a line for each row; nothing at all where there is no row
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  const records = rows.map(row => Object.fromEntries(columns.map(column => [nameOf(column), cell(column.value(row))])))
  return stringify(records, { header: true, cast: { boolean: String } })
}

function cell(value: unknown): unknown {
  return Array.isArray(value) ? value.join(' ') : value
}
