/** A value in SQL. */
export type SqlValue = string | number | bigint | Uint8Array | null

/** What a query can select from, besides the views that each project has. */
export interface QueryView {
  readonly name: string
  readonly columns: readonly string[]
  /** Those whose values are texts even where they look like numbers: 3.10 is not 3.1 there. */
  readonly texts: readonly string[]
  /** They are made when a query reads them; whole numbers are bigints. */
  readonly rows: () => Iterable<readonly SqlValue[]>
}
