import { nameOf, type Table } from '../model.js'

/**
 * A table as CSV (RFC 4180, but with a single newline at the end of a line). The items of lists are separated by blanks;
 * unknown values are empty.
 * @returns the headings and a line for each row; an empty text if there are no rows
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  if (rows.length === 0) return ''
  const values = columns.map(
    ({ value }) =>
      (row: Row) =>
        listText(value(row)),
  )
  return csvLine(columns.map(nameOf)) + csvLines(rows, values)
}

/** A line for each row. @param values the fields of a row, in their order */
export function csvLines<Row>(rows: readonly Row[], values: readonly ((row: Row) => unknown)[]): string {
  let lines = ''
  const fields: unknown[] = []
  for (const row of rows) {
    for (let at = 0; at < values.length; at++) fields[at] = field(values[at]!(row))
    // One text for each line: to add each field to the others takes much memory.
    lines += `${fields.join()}\n`
  }
  return lines
}

/** One line. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(field).join()}\n`
}

function field(value: unknown): string | number {
  if (typeof value === 'number') return value
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function listText(value: unknown): unknown {
  return Array.isArray(value) ? value.join(' ') : value
}
