import stringWidth from 'string-width'
import { fitted } from './fit.js'

/**
 * Aligned cells in columns that are two spaces apart. Its time is linear in the rows; table libraries are quadratic
 * (a third of a second for 1,000 rows).
 * @param rows each cell is one line; rows may have different numbers of cells
 * @param terminal width at which lines are cut; null for no limit
 */
export function aligned(rows: readonly (readonly string[])[], terminal: number | null = null): string {
  const widths = columnWidths(rows)
  const lines = rows.map(row =>
    row
      .map((cell, column) => pad(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return lines.map(line => (terminal === null ? line : fitted(line, terminal))).join('\n')
}

/** The width of the widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell))
  }
  return widths
}

function pad(cell: string, wanted: number): string {
  return cell + ' '.repeat(wanted - width(cell))
}

/** Most cells have only characters that are one column wide. The library takes a millisecond for the first other cell. */
function width(cell: string): number {
  return /^[\x20-\x7e…]*$/.test(cell) ? cell.length : stringWidth(cell)
}
