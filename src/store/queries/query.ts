import { runStatus } from '../../domain/runs/aggregate.js'
import { type GroupCounts, groupStates } from '../../domain/runs/run.js'
import { quotedName } from '../../domain/text/sql-name.js'
import { UserError } from '../../errors.js'
import { type Connection, openForReading } from '../database.js'
import { readingColumns } from '../readings.js'
import type { QueryView, SqlValue } from './query-view.js'
import { commonViews } from './views.js'

/** The result of a query. */
export interface QueryResult {
  /** Two of them may be alike. */
  readonly columns: readonly string[]
  /** They do not hold the database, so that other commands can write while somebody looks at them. */
  readonly rows: Iterable<readonly SqlValue[]>
}

/** What SQLite calls the mistakes in a query. */
const mistakes = ['SQLITE_ERROR', 'SQLITE_TOOBIG', 'SQLITE_RANGE', 'SQLITE_MISMATCH', 'SQLITE_NOMEM']

/** A mistake in a query, as SQLite describes it. */
export class QueryMistake extends Error {}

/** Answers queries on a connection that cannot write to the database: its views are temporary. */
export class Queries {
  private readonly connection: Connection

  /** @param readings the rows of that table, if those of the file are not all @throws QanatError if the database cannot be opened */
  constructor(path: string, views: readonly QueryView[], readings: QueryView['rows'] | null) {
    this.connection = openForReading(path, 10_000)
    this.connection.function('run_status', { varargs: true, deterministic: true }, (...counts) =>
      runStatus(Object.fromEntries(groupStates.map((state, at) => [state, counts[at]])) as GroupCounts),
    )
    if (readings) this.addTable('read_here', readingColumns, readings)
    for (const [name, sql] of Object.entries(commonViews)) {
      const source = readings ? sql.replace('main.readings', 'read_here AS readings') : sql
      this.connection.exec(`CREATE TEMP VIEW ${name} AS ${source}`)
    }
    for (const [at, { name, columns, texts, rows }] of views.entries()) {
      this.addTable(`view_${at}`, columns, rows)
      const areTexts = new Set(texts)
      const selected = columns
        .map(quotedName)
        .map((column, place) => (areTexts.has(columns[place]!) ? `CAST(${column} AS TEXT) AS ${column}` : column))
      // A table of ours has no types, and SQLite would compare a text with a number as if it were larger than any.
      this.connection.exec(`CREATE TEMP VIEW ${quotedName(name)} AS SELECT ${selected.join(', ')} FROM view_${at}`)
    }
  }

  private addTable(name: string, columns: readonly string[], rows: QueryView['rows']): void {
    this.connection.table(name, {
      columns: [...columns],
      *rows() {
        yield* rows()
      },
    })
  }

  columnsOf(view: string): string[] {
    const statement = this.connection.prepare(`SELECT * FROM ${quotedName(view)}`)
    return statement.columns().map(({ name }) => name)
  }

  /**
   * Runs a query to its end. The rows are kept in a temporary table, which SQLite moves to the disk if it becomes large.
   * @throws UserError for anything but one `select` @throws QueryMistake if SQLite cannot run it
   */
  run(sql: string): QueryResult {
    return checked(() => {
      const [word = ''] = withoutComments(sql).split(/[^a-z]/i)
      const isQuery = /^(select|with|values)$/i.test(word)
      const statement = isQuery ? this.connection.prepare(sql) : null
      if (!statement?.reader || !statement.readonly) {
        throw onlyReads(word === '' ? 'there is no query' : `'${word}' is not allowed`)
      }
      this.connection.exec(`CREATE TEMP TABLE ${quotedName(resultTable)} AS ${sql}`)
      const kept = this.connection.prepare(`SELECT * FROM ${quotedName(resultTable)}`)
      return {
        columns: statement.columns().map(({ name }) => name),
        rows: kept.raw().safeIntegers().iterate() as Iterable<SqlValue[]>,
      }
    })
  }

  close(): void {
    this.connection.close()
  }
}

/** No experiment has a name like this. */
const resultTable = ' result'

function onlyReads(reason: string): UserError {
  return new UserError(`qanat sql only reads: ${reason}`, 'give one query, which begins with select, with or values')
}

function withoutComments(sql: string): string {
  return sql.replace(/^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?(\*\/|$))*/, '')
}

function checked<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // The driver itself finds several statements, none, and places for values that nobody gives.
    const isDriver = error instanceof RangeError || error instanceof TypeError
    if (message.startsWith('cannot modify')) throw onlyReads(message)
    throw isDriver || mistakes.includes(code ?? '') ? new QueryMistake(message) : error
  }
}
