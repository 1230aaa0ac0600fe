import { aligned } from '../format/aligned.js'
import { displayable } from '../format/displayable.js'
import type { Style } from '../format/style.js'
import type { Column, Table } from '../model.js'

/** How a list is drawn, a line for each row. `long`: cut at the width of the terminal. `whole`: never cut. */
type Layout = 'long' | 'whole'

/** A table for people: columns aligned under their headings, two spaces apart. Control characters are made harmless. */
export function terminalTable<Row>({ columns, rows }: Table<Row>, style: Style, layout: Layout): string {
  const headings = columns.map(column => headingOf(column, style))
  const cells = rows.map(row => columns.map(column => textOf(column, row, style)))
  const lines = [headings, ...cells].map(line => line.map(onOneLine))
  return aligned(lines, layout === 'long' ? style.columns : null)
}

/** One row for people, one column a line: `Name: iris`. */
export function terminalCard<Row>(columns: readonly Column<Row>[], row: Row, style: Style): string {
  return columns.map(column => `${headingOf(column, style)}: ${textOf(column, row, style)}`.trimEnd()).join('\n')
}

function headingOf<Row>({ key, title, symbol }: Column<Row>, style: Style): string {
  return (symbol === undefined ? '' : style.symbol(symbol)) + (title ?? key)
}

function textOf<Row>({ value, text }: Column<Row>, row: Row, style: Style): string {
  if (text) return text(row, style)
  const plain = value(row)
  return Array.isArray(plain) ? plain.join(', ') : String(plain ?? '')
}

/** Control characters have no width, but their replacements do: replace them before measuring the cell. */
function onOneLine(cell: string): string {
  return /[\x00-\x1f\x7f-\x9f]/.test(cell) ? displayable(cell.replace(/[\n\t]/g, ' ')) : cell
}
