import { nameOf, type Table } from '../model.js'

/**
 * A table as CSV (RFC 4180, but with a single newline at the end of a line). The items of lists are separated by blanks;
 * unknown values are empty.
 * @returns the headings and a line for each row; an empty text if there are no rows
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  if (rows.length === 0) return ''
  const lines = rows.map(row => csvLine(columns.map(column => column.value(row))))
  return csvLine(columns.map(nameOf)) + lines.join('')
}

/** A line of CSV. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\n`
}

function cell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
