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
  /** The path of the page about it, if there is one. */
  readonly link?: string
  /** The only group that it stands for, as 4.17. */
  readonly group?: string
  /** How many runs or groups of it are in each state. */
  readonly counts?: Partial<GroupCounts>
  /** Whether it is the best of all rows. */
  readonly isBest?: boolean
  /** The numbers behind the texts of cells, by the keys of their columns. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A table as data for a page in the browser. */
export function pageTable<Row>({ columns, rows }: Table<Row>, about: (row: Row) => PageRow): PageTable {
  return {
    columns: columns.map(column => ({ key: nameOf(column), title: headingOf(column, plainStyle) })),
    rows: rows.map(row => ({ ...about(row), cells: columns.map(column => textOf(column, row, plainStyle)) })),
  }
}

/** The page of an experiment. */
export function experimentLink(name: string): string {
  return `/experiments/${encodeURIComponent(name)}`
}

/** The page of a run. */
export function runLink(id: number): string {
  return `/runs/${id}`
}

/** The page of a group. */
export function groupLink(run: number, index: number): string {
  return `/runs/${run}/groups/${index}`
}
