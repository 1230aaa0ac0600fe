import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { CollectedValue, ColumnType } from '../../domain/results/column-kinds.js'
import { quotedName } from '../../domain/text/sql-name.js'
import { addon, explained } from '../database.js'

interface FileColumn<Row> {
  readonly name: string
  readonly type: ColumnType
  readonly value: (row: Row) => CollectedValue
}

/** R takes the type of a column from its first cell: one with numbers and texts is text. */
const types: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'INTEGER',
  text: 'TEXT',
  time: 'TEXT',
  mixed: 'TEXT',
  mixed_integer: 'TEXT',
}

/** SQLite can have no more columns. */
export const mostColumns = 2_000

/**
 * Makes an SQLite file with one table, some rows a step.
 * @param path of a file that does not exist yet
 * @param shown its path in errors
 * @throws QanatError if it cannot be written
 */
export function* writeTableFile<Row>(
  path: string,
  shown: string,
  table: string,
  columns: readonly FileColumn<Row>[],
  rows: Iterable<readonly Row[]>,
): Generator<void> {
  // SQLite would not say why it cannot make the file.
  closeSync(openSync(path, 'wx'))
  const connection = explained(shown, () => new Database(path, { nativeBinding: addon() }))
  try {
    const insert = explained(shown, () => {
      // Nobody else sees the file, and what is left of it after a crash is of no use.
      connection.pragma('journal_mode = OFF')
      connection.exec('BEGIN')
      const declared = columns.map(({ name, type }) => `${quotedName(name)} ${types[type]}`)
      connection.exec(`CREATE TABLE ${quotedName(table)} (${declared.join(', ')})`)
      return connection.prepare(`INSERT INTO ${quotedName(table)} VALUES (${columns.map(() => '?').join(', ')})`)
    })
    for (const some of rows) {
      explained(shown, () => {
        for (const row of some) insert.run(columns.map(column => cellOf(column, row)))
      })
      yield
    }
    explained(shown, () => connection.exec('COMMIT'))
  } finally {
    connection.close()
  }
}

function cellOf<Row>({ type, value }: FileColumn<Row>, row: Row): string | number | bigint | null {
  const cell = value(row)
  return cell !== null && types[type] === 'TEXT' ? String(cell) : sqlValue(type, cell)
}

/** SQL has no booleans, and whole numbers of their own. */
export function sqlValue(type: ColumnType, value: CollectedValue): string | number | bigint | null {
  if (typeof value === 'boolean') return BigInt(value)
  return typeof value === 'number' && (type === 'integer' || type === 'mixed_integer') ? BigInt(value) : value
}
