import type { Style } from './format/style.js'

/** A column of a list. It is declared once, and every renderer takes its heading and its cells from here. */
export interface Column<Row> {
  /** The name for programs, in snake_case and without the unit: the heading in CSV, the key in JSON. */
  readonly key: string
  /** The heading for people; a column that only programs read needs none. */
  readonly title?: string
  /** Shown before the title if symbols are on. */
  readonly symbol?: string
  /** The unit of the value. For programs it is appended to the key: `duration_s`. */
  readonly unit?: string
  /** Its place in JSON, if not under its key: the key of the object around it, then its own key there. */
  readonly jsonPath?: readonly [string, string]
  /** The cell for programs; null if the value is unknown. */
  readonly value: (row: Row) => unknown
  /** Its turn to be left out where a list is too wide for a terminal: 1 goes first. Without it, the column stays. */
  readonly leaves?: number
  /** Where a list is too wide for a terminal, its cells are cut, but not below this width. Of one column of a list at most. */
  readonly shrinks?: number
  /** The cell for people, if it differs from the value. */
  readonly text?: (row: Row, style: Style) => string
}

/** What makes columns of rows of a kind, by their keys and titles. */
export function columnsOf<Row>() {
  return (key: string, title: string, value: Column<Row>['value'], more: Partial<Column<Row>> = {}): Column<Row> => ({
    ...{ key, title, value },
    ...more,
  })
}

/** A list as data, independent of the format in which it is written. */
export interface Table<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/** One thing that is known, under its title. */
export interface Fact {
  readonly title: string
  readonly text: string
  /** Shown before the title if symbols are on. */
  readonly symbol?: string
}

/** The name of a column for programs: `launched`, `duration_s`. */
export function nameOf<Row>({ key, unit }: Column<Row>): string {
  return unit === undefined ? key : `${key}_${unit}`
}
