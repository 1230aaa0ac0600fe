import type { Connection } from '../database.js'

/** Queries of a part of the database, and what they return. */
export abstract class Table {
  constructor(protected readonly connection: Connection) {}

  protected rows<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.connection.prepare(sql).all(...values) as Row[]
  }

  /** Rows as lists of values, which takes less time. */
  protected lists<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.connection
      .prepare(sql)
      .raw()
      .all(...values) as Row[]
  }

  /** The first column of each row. */
  protected column<Value>(sql: string, ...values: readonly unknown[]): Value[] {
    return this.connection
      .prepare(sql)
      .pluck()
      .all(...values) as Value[]
  }

  /** The first column of the first row; undefined without a row. */
  protected value<Value>(sql: string, ...values: readonly unknown[]): Value | undefined {
    return this.connection
      .prepare(sql)
      .pluck()
      .get(...values) as Value | undefined
  }

  protected change(sql: string, ...values: readonly unknown[]): number {
    return this.connection.prepare(sql).run(...values).changes
  }
}
