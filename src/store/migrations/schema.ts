import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { displayCommand } from '../../domain/text/shell-text.js'
import { DamagedDatabaseError, OperationError } from '../../errors.js'
import { initial } from './001-initial.js'

/** What makes each schema of the one before it. The number of a schema is its position, from 1. */
const migrations: readonly string[] = [initial]

/** The tables and indexes of the newest schema, as SQLite keeps them: each begins with what it makes and its name. */
const statements: readonly string[] = initial.split(/;\n+/).slice(0, -1)

/** That of this program. */
export const schemaNumber = migrations.length

/** Marks the file as ours (SQLite's application_id): "Qana". */
const applicationId = 0x51_61_6e_61

/** What tells whose database it is, and of which schema. */
interface Content {
  /** SQLite's application_id. */
  readonly mark: number
  readonly version: number
  /** The text that made each table, index and the like, by its name. */
  readonly made: ReadonlyMap<string, string | null>
}

/** All of it at one moment: another program may be making the database. */
export function contentOf(connection: Database.Database): Content {
  return connection.transaction(() => ({
    mark: connection.pragma('application_id', { simple: true }) as number,
    version: connection.pragma('user_version', { simple: true }) as number,
    made: new Map(connection.prepare('SELECT name, sql FROM sqlite_schema').raw().all() as [string, string | null][]),
  }))()
}

/** @throws QanatError unless it is a database of this schema or of one that can be migrated */
export function refuseUnusable({ mark, version, made }: Content, path: string): void {
  if (made.size === 0 && [0, applicationId].includes(mark)) {
    throw new DamagedDatabaseError(`${path} is damaged: it is empty`)
  }
  if (made.has('runs_of_experiments')) {
    throw new OperationError(
      `${path} was made by the older Python program; it is left as it is`,
      `${displayCommand(['mv', path, join(dirname(path), 'older.db')])}
qanat init        then makes a new database, and keeps the settings and the results`,
    )
  }
  if (mark !== applicationId && !made.has('launches')) {
    throw new OperationError(`${path} is not a database of Qanat`, `move it away and type 'qanat init'`)
  }
  if (mark === applicationId && version > schemaNumber) {
    throw new OperationError(
      `${path} was written by a newer Qanat (schema ${version}, this one knows ${schemaNumber})`,
      'install the newer version: npm install -g qanat',
    )
  }
  const difference = differenceIn({ mark, version, made })
  if (difference !== null) {
    throw new DamagedDatabaseError(`${path} has a schema that this Qanat does not know: ${difference}`)
  }
}

/** How a database differs from those of releases up to this one; null for one of them. */
function differenceIn({ mark, version, made }: Content): string | null {
  if (mark !== applicationId || version === 0) return 'no release has made it'
  // Only the newest schema is known; another one is migrated by statements that fail where its tables differ.
  if (version < schemaNumber) return null
  const different = statements.find(sql => made.get(nameIn(sql)) !== sql)
  if (different === undefined) return null
  const name = nameIn(different)
  return made.has(name) ? `${name} differs` : `${name} is missing`
}

/** Name of the table or index that a statement makes. */
function nameIn(statement: string): string {
  return statement.split(' ', 3)[2]!
}

/** Whether a database is of this program's schema; its tables are not looked at. */
export function isCurrent({ mark, version }: Content): boolean {
  return mark === applicationId && version === schemaNumber
}

/** Runs each migration in its own transaction, unless another program has done it first. */
export function migrate(connection: Database.Database): void {
  migrations.forEach((sql, index) => {
    connection
      .transaction(() => {
        if ((connection.pragma('user_version', { simple: true }) as number) !== index) return
        connection.exec(sql)
        connection.pragma(`user_version = ${index + 1}`)
        connection.pragma(`application_id = ${applicationId}`)
      })
      .immediate()
  })
}
