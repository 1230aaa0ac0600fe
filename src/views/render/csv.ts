import { nameOf, type Table } from '../model.js'

/**
 * A table as CSV (RFC 4180, but with a single newline at the end of a line). The items of lists are separated by blanks;
 * unknown values are empty.
 * @returns the headings and a line for each row
 */
export function csvTable<Row>({ columns, rows }: Table<Row>): string {
  const values = columns.map(
    ({ value }) =>
      (row: Row) =>
        listText(value(row)),
  )
  return csvLine(columns.map(nameOf)) + csvLines(rows, values)
}

/**
 * A line for each row, in which a text without characters is `""`, and nothing is what is unknown.
 * @param values the fields of a row, in their order
 */
export function csvLines<Row>(rows: readonly Row[], values: readonly ((row: Row) => unknown)[]): string {
  let lines = ''
  const fields: unknown[] = []
  for (const row of rows) {
    for (let at = 0; at < values.length; at++) fields[at] = field(values[at]!(row))
    lines += lineOf(fields)
  }
  return lines
}

/** One line. */
export function csvLine(fields: readonly unknown[]): string {
  return lineOf(fields.map(field))
}

/** One text for each line: to add each field to the others takes much memory. */
function lineOf(fields: readonly unknown[]): string {
  // Most readers skip an empty line.
  return `${fields.length === 1 && fields[0] === '' ? '""' : fields.join()}\n`
}

function field(value: unknown): string | number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : wordOf(value)
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The words that Python, R and others write and read; they take JavaScript's `Infinity` for text. */
function wordOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? 'inf' : '-inf'
}

function listText(value: unknown): unknown {
  const text = Array.isArray(value) ? value.join(' ') : value
  return text === '' ? null : text
}
