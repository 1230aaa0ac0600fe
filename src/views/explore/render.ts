import stringWidth from 'string-width'
import type { ListedRun } from '../../domain/results/best.js'
import type { BrowsedGroup } from '../../operations/browse/run-pages.js'
import { groupListColumns } from '../browse/pages.js'
import { displayable, displayableLine } from '../format/displayable.js'
import { fitted } from '../format/fit.js'
import type { Style } from '../format/style.js'
import type { Column } from '../model.js'
import { terminalTable } from '../render/terminal.js'
import { listColumns, measuredColumns } from '../runs/list.js'
import { frameOf } from './frame.js'
import { keysHelp } from './keys-help.js'
import { type GroupPage, type List, pageOf, type Size, type State } from './state.js'
import { wrapped } from './wrap.js'

/** The screen: as many lines as the terminal has rows, none wider than the terminal. */
export function linesOf(state: State, size: Size, style: Style): string[] {
  const { head, height, below, foot } = frameOf(state, size, style)
  const body = state.question?.kind === 'keys' ? keysHelp(pageOf(state)) : null
  const top = body === null ? head : []
  const middle = body ?? bodyOf(state, size, height, style)
  const space = body === null ? height : head.length + height + below.length
  const lines = [
    ...top,
    ...Array.from({ length: space }, (_, at) => middle[at] ?? ''),
    ...(body === null ? below : []),
    ...foot,
  ]
  return Array.from({ length: size.rows }, (_, at) => drawn(lines[at] ?? '', size.columns))
}

/** Escape codes in texts of others are made harmless, and what is too long is cut. */
function drawn(line: string, columns: number): string {
  // Our own inverse line is around a text that is harmless already.
  return fitted(line.startsWith(inverse) ? line : displayableLine(line), columns)
}

const inverse = '\x1b[7m'

function bodyOf(state: State, size: Size, height: number, style: Style): readonly string[] {
  const page = pageOf(state)
  if (page.kind === 'group') return textLines(page, size.columns, height)
  if (page.kind === 'runs') {
    const rows = knownRows<ListedRun>(page.list, height)
    const columns = listColumns<ListedRun>(state.now, [], measuredColumns(rows))
    const none = `No run yet. Next: qanat run ${page.experiment.name} …`
    return listLines(page.list, columns, ({ id }) => id, none, { ...size, rows: height }, style)
  }
  const columns = groupListColumns(knownRows(page.list, height), page.varying, page.metrics, state.now)
  return listLines<BrowsedGroup>(page.list, columns, ({ index }) => index, '', { ...size, rows: height }, style)
}

/** How many rows of a list fit below its headings. */
export function rowsIn(height: number): number {
  return Math.max(0, height - 1)
}

/** The ids of the rows that can be seen: the row that is chosen is in the middle where possible. */
export function visibleIds({ ids, at }: List<unknown>, height: number): readonly number[] {
  const first = firstRow(ids.length, at, height)
  return ids.slice(first, first + rowsIn(height))
}

function firstRow(length: number, at: number, height: number): number {
  const rows = rowsIn(height)
  return Math.max(0, Math.min(at - Math.floor(rows / 2), length - rows))
}

function knownRows<Row>(list: List<Row>, height: number): Row[] {
  return visibleIds(list, height).flatMap(id => list.rows.get(id) ?? [])
}

function listLines<Row>(
  list: List<Row>,
  columns: readonly Column<Row>[],
  idOf: (row: Row) => number,
  none: string,
  { columns: width, rows: height }: Size,
  style: Style,
): string[] {
  if (list.ids.length === 0) return [list.line === '' ? none : 'Nothing matches the filter: z resets it']
  const rows = knownRows(list, height)
  // The screen may have another width than at the start; two columns are for the pointer.
  const fitting = { ...style, columns: width - 2 }
  const [headings = '', ...texts] = terminalTable({ columns, rows }, fitting, 'screen').split('\n')
  // Seen only where the rows leave a line.
  const notShown = texts.slice(rows.length).map(text => `  ${text}`)
  const byId = new Map(rows.map((row, at) => [idOf(row), texts[at]!]))
  const chosen = list.ids[list.at]
  const pointer = style.symbol('❯') || '> '
  const lines = visibleIds(list, height).map(id => {
    const text = byId.get(id) ?? String(id)
    if (id !== chosen) return `  ${text}`
    return style.colour.level === 0 ? `${pointer}${text}` : marked(`${pointer}${text}`, width)
  })
  return [style.colour.bold(`  ${headings}`), ...lines, ...notShown]
}

function marked(line: string, width: number): string {
  const text = fitted(displayable(line), width)
  return `${inverse}${padded(text, width)}\x1b[27m`
}

function padded(text: string, width: number): string {
  const missing = width - stringWidth(text)
  return missing > 0 ? text + ' '.repeat(missing) : text
}

function textLines({ text, top }: GroupPage, columns: number, height: number): string[] {
  const lines = text.flatMap(line => wrapped(line, columns))
  const first = top ?? Math.max(0, lines.length - height)
  return lines.slice(first, first + height)
}

/** The last place from which a text can be shown. */
export function lastTop({ text }: Pick<GroupPage, 'text'>, columns: number, height: number): number {
  const count = text.reduce((sum, line) => sum + wrapped(line, columns).length, 0)
  return Math.max(0, count - height)
}
