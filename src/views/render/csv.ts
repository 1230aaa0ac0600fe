import { nameOf, type Table } from '../model.js'

/**
 * A table as CSV (RFC 4180, but with a single newline at the end of a line). The items of lists are separated by blanks;
 * unknown values are empty.
 * @returns the headings and a line for each row; an empty text if there are no rows
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  if (rows.length === 0) return ''
  return csvLines([columns.map(nameOf), ...rows.map(row => columns.map(column => cell(column.value(row))))])
}

/** A line for each row. */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  let lines = ''
  for (const row of rows) lines += `${row.map(field).join()}\n`
  return lines
}

/** What `join` writes as a field: a number or a text; null and undefined are empty. */
function field(value: unknown): unknown {
  if (typeof value === 'number' || value === null || value === undefined) return value
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function cell(value: unknown): unknown {
  return Array.isArray(value) ? value.join(' ') : value
}
