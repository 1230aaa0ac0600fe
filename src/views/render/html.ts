import { withoutControls } from '../format/displayable.js'
import { plainStyle } from '../format/style.js'
import type { Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that stands in HTML as it is, also in quotes. Control characters, which HTML does not allow, are made visible. */
export function escapedHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, character => special[character]!)
}

/** Longer texts are broken into lines. */
const longestOnLine = 30

/** A part of a table in HTML. */
export interface HtmlTable {
  readonly head: string
  /** A row each. */
  readonly rows: Iterable<string>
}

/** A table in HTML, row by row. A number whose text is rounded has its exact value in `data-value`. */
export function htmlTable<Row>({ columns, rows }: Table<Row>): HtmlTable {
  const headings = columns.map(column => `<th scope="col">${escapedHtml(headingOf(column, plainStyle))}</th>`)
  return {
    head: `<thead><tr>${headings.join('')}</tr></thead>`,
    rows: {
      *[Symbol.iterator]() {
        for (const row of rows) {
          yield `<tr>${columns.map(column => cell(column.value(row), textOf(column, row, plainStyle))).join('')}</tr>\n`
        }
      },
    },
  }
}

function cell(value: unknown, text: string): string {
  const exact = typeof value === 'number' && String(value) !== text ? ` data-value="${value}"` : ''
  return `<td${exact}${text.length > longestOnLine ? ' class="long"' : ''}>${escapedHtml(text)}</td>`
}
