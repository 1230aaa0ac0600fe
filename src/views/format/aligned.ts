import stringWidth from 'string-width'
import { fitted } from './fit.js'

/**
 * Cells as lines, in columns that are two spaces apart. It is for lists that grow without bound: the time is linear in the
 * rows, where the table library's is quadratic (1,000 rows took it a third of a second).
 * @param rows a cell is one line; a row may have fewer cells than others
 * @param terminal columns that a line may take, what is beyond is cut; null for no limit
 */
export function aligned(rows: readonly (readonly string[])[], terminal: number | null = null): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell))
  }
  const lines = rows.map(row =>
    row
      .map((cell, column) => pad(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return lines.map(line => (terminal === null ? line : fitted(line, terminal))).join('\n')
}

function pad(cell: string, wanted: number): string {
  return cell + ' '.repeat(wanted - width(cell))
}

function width(cell: string): number {
  return /^[\x20-\x7e]*$/.test(cell) ? cell.length : stringWidth(cell)
}
