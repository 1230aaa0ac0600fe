import { plainStyle } from '../format/style.js'
import type { Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

/** A table as GitHub and others render it. */
export function markdownTable<Row>({ columns, rows }: Table<Row>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(column => escaped(headingOf(column, plainStyle)))),
    line(columns.map(() => '---')),
    ...rows.map(row => line(columns.map(column => escaped(textOf(column, row, plainStyle))))),
  ].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|]/g, '\\$&').replace(/\s+/g, ' ')
}
