import CliTable from 'cli-table3'
import stringWidth from 'string-width'
import { aligned, columnWidths } from '../format/aligned.js'
import { displayable } from '../format/displayable.js'
import { fitted } from '../format/fit.js'
import type { Style } from '../format/style.js'
import type { Column, Table } from '../model.js'

/**
 * How a list is drawn. `short`: on a terminal by the table library, which wraps the last column and needs a time quadratic
 * in the rows. `long`: a line for each row, cut at the width of a terminal. `whole`: a line for each row, never cut.
 * `screen`: the same for a command that cannot write to a pipe.
 */
type Layout = 'short' | 'long' | 'whole' | 'screen'

/**
 * A table for people: columns aligned under their headings, two spaces apart. Control characters are made harmless. Where it
 * is wider than the terminal, the columns that can be spared are left out, and a line below names them.
 */
export function terminalTable<Row>({ columns, rows }: Table<Row>, style: Style, layout: Layout): string {
  const headings = columns.map(column => headingOf(column, style))
  const isDrawn = layout === 'short' && style.columns !== null
  const shape = isDrawn ? displayable : onOneLine
  const lines = [headings.map(shape), ...rows.map(row => columns.map(column => shape(textOf(column, row, style))))]
  if (isDrawn) return drawn(lines, style.columns)
  const { spared, cut } = style.columns === null ? nothingSpared : sparedOf(columns, lines, style.columns)
  const fitting =
    cut === null ? lines : lines.map(line => line.map((cell, at) => (at === cut.at ? fitted(cell, cut.width) : cell)))
  const shown = spared.size === 0 ? fitting : fitting.map(line => line.filter((_, at) => !spared.has(at)))
  const text = aligned(shown, layout === 'long' ? style.columns : null)
  if (spared.size === 0) return text
  const names = columns.filter((_, at) => spared.has(at)).map(({ key, title }) => title ?? key)
  const note = `Not shown${layout === 'screen' ? '' : ' (a pipe shows all)'}: ${names.join(', ')}`
  return `${text}\n${style.colour.dim(note)}`
}

interface Spared {
  /** The places of the columns that are left out. */
  readonly spared: ReadonlySet<number>
  /** The column that is cut, if one is. */
  readonly cut: { readonly at: number; readonly width: number } | null
}

const nothingSpared: Spared = { spared: new Set(), cut: null }

/** What is left out so that the rest fits into a width. */
function sparedOf<Row>(columns: readonly Column<Row>[], lines: readonly (readonly string[])[], width: number): Spared {
  const whole = columnWidths(lines)
  const widths = whole.map((each, at) => Math.min(each, columns[at]!.shrinks ?? each))
  let left = widths.reduce((sum, each) => sum + each + 2, -2)
  const turns = [...columns.entries()]
    .filter(([, { leaves }]) => leaves !== undefined)
    .sort(([at, one], [other, next]) => one.leaves! - next.leaves! || other - at)
  const spared = new Set<number>()
  for (const [at] of turns) {
    if (left <= width) break
    spared.add(at)
    left -= widths[at]! + 2
  }
  // A wide column may have made room for narrower ones that had to leave before it.
  for (const at of [...spared].reverse()) {
    if (left + widths[at]! + 2 > width) continue
    spared.delete(at)
    left += widths[at]! + 2
  }
  const shrunk = columns.findIndex(({ shrinks }, at) => shrinks !== undefined && !spared.has(at))
  const space = (widths[shrunk] ?? 0) + width - left
  return {
    spared,
    cut: shrunk >= 0 && space < whole[shrunk]! ? { at: shrunk, width: Math.max(widths[shrunk]!, space) } : null,
  }
}

/** One row for people, one column a line: `Name: iris`. */
export function terminalCard<Row>(columns: readonly Column<Row>[], row: Row, style: Style): string {
  return columns.map(column => `${headingOf(column, style)}: ${textOf(column, row, style)}`.trimEnd()).join('\n')
}

/** The heading of a column for people. */
export function headingOf<Row>({ key, title, symbol }: Column<Row>, style: Style): string {
  return (symbol === undefined ? '' : style.symbol(symbol)) + (title ?? key)
}

/** The cell of a column for people. */
export function textOf<Row>({ value, text }: Column<Row>, row: Row, style: Style): string {
  if (text) return text(row, style)
  const plain = value(row)
  return Array.isArray(plain) ? plain.join(', ') : String(plain ?? '')
}

/** Control characters have no width, but their replacements do: replace them before measuring the cell. */
function onOneLine(cell: string): string {
  return /[\x00-\x1f\x7f-\x9f]/.test(cell) ? displayable(cell.replace(/[\n\t]/g, ' ')) : cell
}

/** No frame, only space between columns. */
const frame = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '', right: '', 'right-mid': '', middle: '  ' },
}

/** The last column is not made narrower than this: a terminal breaks such lines itself. */
const narrowest = 16

function drawn(rows: readonly (readonly string[])[], terminal: number): string {
  const others = rows[0]!.slice(0, -1).map((_, column) => Math.max(...rows.map(row => widthOf(row[column]!))))
  const left = terminal - others.reduce((sum, width) => sum + width + 2, 0)
  const last = Math.max(...rows.map(row => widthOf(row.at(-1)!)))
  const table = new CliTable({
    chars: frame,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: [...others, Math.min(last, Math.max(left, narrowest))],
    wordWrap: true,
  })
  table.push(...rows.map(row => [...row]))
  return table.toString().replace(/[^\S\n]+$/gm, '')
}

function widthOf(cell: string): number {
  return Math.max(...cell.split('\n').map(line => stringWidth(line)))
}
