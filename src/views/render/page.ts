import type { GroupCounts } from '../../domain/runs/run.js'
import { plainStyle } from '../format/style.js'
import { nameOf, type Table } from '../model.js'
import { headingOf, textOf } from './terminal.js'

/** A table for a page in the browser: the texts that a terminal would show. */
export interface PageTable {
  readonly columns: readonly { readonly key: string; readonly title: string }[]
  readonly rows: readonly (PageRow & { readonly cells: readonly string[] })[]
}

/** What a row of a page has besides its cells. */
export interface PageRow {
  /** The path of the page about it. */
  readonly link: string
  /** How many runs or groups of it are in each state. */
  readonly counts?: Partial<GroupCounts>
}

/** A table as data for a page in the browser. */
export function pageTable<Row>({ columns, rows }: Table<Row>, about: (row: Row) => PageRow): PageTable {
  return {
    columns: columns.map(column => ({ key: nameOf(column), title: headingOf(column, plainStyle) })),
    rows: rows.map(row => ({ ...about(row), cells: columns.map(column => textOf(column, row, plainStyle)) })),
  }
}
