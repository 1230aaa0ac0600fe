import type { Style } from './format/style.js'

/** One fact about each row of a list. It is declared once, and every renderer takes its heading and its cells from here. */
export interface Column<Row> {
  /** The name for programs, in snake_case and without the unit: the heading in CSV, the key in JSON. */
  readonly key: string
  /** The heading for people; a column that only programs read needs none. */
  readonly title?: string
  /** Stands before the title where symbols are on. */
  readonly symbol?: string
  /** The unit of the value. Programs see it behind the key: `duration_s`. */
  readonly unit?: string
  /** Where JSON has it, if not under its key: the key of the object around it, then its own key there. */
  readonly jsonPath?: readonly [string, string]
  /** The cell for programs; null where nothing is known. */
  readonly value: (row: Row) => unknown
  /** The cell for people, where it is not simply the value. */
  readonly text?: (row: Row, style: Style) => string
}

/** A list as data, before it is decided how it is written. */
export interface Table<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/** What programs call a column: `launched`, `duration_s`. */
export function nameOf<Row>({ key, unit }: Column<Row>): string {
  return unit === undefined ? key : `${key}_${unit}`
}
