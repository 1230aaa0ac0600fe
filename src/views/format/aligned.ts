import stringWidth from 'string-width'
import { fitted } from './fit.js'

/**
 * Aligned cells in columns that are two spaces apart. Its time is linear in the rows; table libraries are quadratic
 * (a third of a second for 1,000 rows).
 * @param rows each cell is one line; rows may have different numbers of cells
 * @param terminal width at which lines are cut; null for no limit
 */
export function aligned(rows: readonly (readonly string[])[], terminal: number | null = null): string {
  const sizes = rows.map(row => row.map(width))
  const widths = widest(sizes)
  const lines = rows.map((row, at) => {
    const padded = row.map((cell, column) => cell + ' '.repeat(widths[column]! - sizes[at]![column]!))
    const line = padded.join('  ').trimEnd()
    return terminal === null ? line : fitted(line, terminal)
  })
  return lines.join('\n')
}

/** The width of the widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return widest(rows.map(row => row.map(width)))
}

function widest(sizes: readonly (readonly number[])[]): number[] {
  const widths: number[] = []
  for (const row of sizes) {
    row.forEach((size, column) => {
      widths[column] = Math.max(widths[column] ?? 0, size)
    })
  }
  return widths
}

/** Most cells have only characters that are one column wide. The library takes a millisecond for the first other cell. */
function width(cell: string): number {
  return /^[\x20-\x7e…]*$/.test(cell) ? cell.length : stringWidth(cell)
}
