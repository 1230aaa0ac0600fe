import { plainLine } from '../format/displayable.js'
import { plainStyle } from '../format/style.js'
import type { Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

/** A table that GitHub, pandoc and others render with the same texts. */
export function markdownTable<Row>({ columns, rows }: Table<Row>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(column => escaped(headingOf(column, plainStyle)))),
    line(columns.map(() => '---')),
    ...rows.map(row => line(columns.map(column => escaped(textOf(column, row, plainStyle))))),
  ].join('\n')
}

/**
 * What means something in the Markdown of GitHub or of pandoc, which makes dashes, ellipses and curly quotes, formulas, citations,
 * superscripts and subscripts. An underscore means nothing inside of a word.
 */
const special = /[\\`*{}[\]<>|$^~@&'"]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|-(?=-)|(?<=-)-|\.(?=\.)|(?<=\.)\./gu
/** GitHub makes links of these, in which a backslash is no escape. */
const beginsLink = /:(?=\/\/)|(?<=\bwww)\./g

function escaped(text: string): string {
  return plainLine(text).replace(/[^ ]+/g, word => {
    const safe = word.replace(special, '\\$&')
    return safe === word ? word : safe.replace(beginsLink, '\\$&')
  })
}
