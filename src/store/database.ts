import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { privateMode } from '../domain/private-mode.js'
import { displayCommand } from '../domain/text/shell-text.js'
import {
  BusyError,
  DamagedDatabaseError,
  DatabaseError,
  OperationError,
  QanatError,
  ReadOnlyDatabaseError,
  UnwritableDatabaseError,
} from '../errors.js'
import { initial } from './migrations/001-initial.js'
import { schedulers } from './migrations/002-schedulers.js'
import { documents } from './migrations/003-documents.js'
import { attempts } from './migrations/004-attempts.js'
import { reruns } from './migrations/005-reruns.js'
import { results } from './migrations/006-results.js'
import { executions } from './migrations/007-executions.js'
import { definitions } from './migrations/008-definitions.js'
import { usage } from './migrations/009-usage.js'
import { madeFrom } from './migrations/010-made-from.js'

export type Connection = Database.Database

/** In order; the number of a migration is its position, from 1. */
const migrations: readonly string[] = [
  initial,
  schedulers,
  documents,
  attempts,
  reruns,
  results,
  executions,
  definitions,
  usage,
  madeFrom,
]

/** Size of the header of every database, in bytes. */
const headerSize = 100

/** Marks the file as ours (SQLite's application_id): "Qnat". */
const applicationId = 0x51_6e_61_74

/**
 * Opens the project's database and migrates it to the schema of this program.
 *
 * Rollback journal and full sync, because projects live on NFS and Lustre, where WAL does not work.
 * @param create makes it if it does not exist (`init`)
 * @throws QanatError for a file that is missing, not a database, the older program's, or newer than this program
 */
export function openDatabase(path: string, create = false): Connection {
  if (!create && !existsSync(path)) {
    throw new OperationError(
      `the project has no database (${path})`,
      "'qanat init' makes one; if runs were launched here before, 'qanat doctor --repair' rebuilds it",
    )
  }
  // SQLite would treat a truncated file as a new database.
  if (!create && statSync(path).size < headerSize) {
    throw new DamagedDatabaseError(`${path} is damaged: nothing is left of it`)
  }
  return explained(path, () => {
    const connection = new Database(path, { timeout: 10_000, nativeBinding: addon() })
    try {
      prepare(connection, path, create)
      keepStatements(connection)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/**
 * Opens the database read-only, without migration.
 * @param timeout milliseconds to wait for locks; completion waits for almost nothing
 * @throws Error for a file that is missing or cannot be read, or that has another schema
 */
export function openForReading(path: string, timeout = 200): Connection {
  const connection = new Database(path, { readonly: true, fileMustExist: true, timeout, nativeBinding: addon() })
  if (connection.pragma('user_version', { simple: true }) === migrations.length) return connection
  connection.close()
  throw new OperationError(`${path} has another schema`)
}

/** Which file has that path now: one that is put in its place is another. */
export function fileOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return `${dev} ${ino}`
}

/** @param file of the connection, see {@link fileOf} @throws OperationError if the database is another one by now */
export function refuseOther(connection: Connection, path: string, file: string): void {
  const isMigrated = connection.pragma('user_version', { simple: true }) !== migrations.length
  if (!isMigrated && fileOf(path) === file) return
  throw new OperationError(
    isMigrated ? 'a newer Qanat has changed the database meanwhile' : 'another database is in place of this one by now',
    'end this command with Ctrl-C, and start it again',
  )
}

/**
 * Takes SQLite's write lock on a file of its own, and keeps it until the connection is closed.
 * @returns null if another program has it
 */
export function openLock(path: string): Connection | null {
  return explained(path, () => {
    const connection = new Database(path, { timeout: 0, nativeBinding: addon() })
    try {
      connection.exec('BEGIN EXCLUSIVE')
      return connection
    } catch (error) {
      connection.close()
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return null
      throw error
    }
  })
}

/** The compiled part of the driver, which cannot be bundled. Finding it here saves the driver's search at each start. */
export function addon(): string {
  const { resolve } = createRequire(join(import.meta.dirname, 'database.js'))
  return resolve('better-sqlite3/build/Release/better_sqlite3.node')
}

function prepare(connection: Connection, path: string, create: boolean): void {
  // Triggers and views inside a database must not do more than read and write its own tables.
  connection.pragma('trusted_schema = OFF')
  const version = connection.pragma('user_version', { simple: true }) as number
  if (version === 0 || connection.pragma('application_id', { simple: true }) !== applicationId) {
    refuseForeign(connection, path, create)
  }
  if (version > migrations.length) {
    throw new OperationError(
      `${path} was written by a newer Qanat (schema ${version}, this one knows ${migrations.length})`,
      'install the newer version: npm install -g qanat',
    )
  }
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  if (version < migrations.length) {
    connection.pragma('journal_mode = DELETE')
    migrate(connection)
    keepPrivate(path)
  }
}

/** Preparing takes longer than most of our statements run: of each text, one is prepared, and then used again. */
function keepStatements(connection: Connection): void {
  const known = new Map<string, Database.Statement>()
  const prepareNew = connection.prepare.bind(connection)
  const prepareOnce = (sql: string) => {
    const statement = known.get(sql) ?? prepareNew(sql)
    known.set(sql, statement)
    // The form of its rows is what its last user asked for.
    return statement.reader ? statement.pluck(false).raw(false) : statement
  }
  connection.prepare = prepareOnce as Connection['prepare']
}

/** Earlier versions have recorded the variables of jobs in the database. Up to schema 3 everybody could read it. */
function keepPrivate(path: string): void {
  try {
    chmodSync(path, privateMode(process.umask()))
  } catch (error) {
    // Another member of the group owns it, and only the owner can change its mode.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function refuseForeign(connection: Connection, path: string, create: boolean): void {
  const tables = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
  if (tables.length === 0 && create) return
  if (tables.length === 0) throw new DamagedDatabaseError(`${path} is damaged: it is empty`)
  if (tables.includes('runs_of_experiments')) {
    throw new OperationError(
      `${path} was made by the older Python program; it is left as it is`,
      `${displayCommand(['mv', path, join(dirname(path), 'older.db')])}
qanat init        then makes a new database, and keeps the settings and the results`,
    )
  }
  throw new OperationError(`${path} is not a database of Qanat`, `move it away and type 'qanat init'`)
}

/** Runs each migration in its own transaction, unless another program has done it first. */
function migrate(connection: Connection): void {
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

/** Runs `work`, and explains errors of SQLite. */
export function explained<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw explainDatabase(error, path)
  }
}

/** Explains an error of SQLite; other errors are returned unchanged. */
export function explainDatabase(error: unknown, path = 'the database of the project'): unknown {
  if (error instanceof QanatError || !(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  if (code.startsWith('SQLITE_BUSY')) {
    return new BusyError(`${path} is in use by another command`, 'try again in a moment')
  }
  if (code === 'SQLITE_FULL')
    return new UnwritableDatabaseError(`no space is left for ${path}`, 'make room and try again')
  if (code === 'SQLITE_CANTOPEN' && isUnreadable(path)) {
    return new DatabaseError(
      `${path} cannot be read: its owner has not shared it`,
      `${displayCommand(['chmod', 'g+r', path])}        typed by its owner, lets the members of its group read it`,
    )
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_CANTOPEN') {
    return new ReadOnlyDatabaseError(path)
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new DamagedDatabaseError(`${path} is damaged: ${error.message}`)
  }
  if (code === 'SQLITE_ERROR' || code.startsWith('SQLITE_CONSTRAINT')) {
    return new DamagedDatabaseError(`${path} was changed by another program: ${error.message}`)
  }
  return code.startsWith('SQLITE_IOERR') ? new DatabaseError(`${path}: ${error.message}`) : error
}

function isUnreadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return false
  } catch {
    return existsSync(path)
  }
}
