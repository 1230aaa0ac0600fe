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
import { isWritable, refuseLink } from '../system/files.js'
import { contentOf, isCurrent, migrate, refuseUnusable, schemaNumber } from './migrations/schema.js'

export type Connection = Database.Database

/** Size of the header of every database, in bytes. */
const headerSize = 100

/**
 * Opens the project's database. One of a former release is migrated to the schema of this one.
 *
 * Rollback journal and full sync, because projects live on NFS and Lustre, where WAL does not work.
 * @param create makes it if it does not exist (`init`)
 * @throws DamagedDatabaseError for one that can be rebuilt: it is damaged, or has another schema
 * @throws QanatError for a file that is missing, another application's, the older program's, or newer than this program
 */
export function openDatabase(path: string, create = false): Connection {
  if (!create && !existsSync(path)) {
    throw new OperationError(
      `the project has no database (${path})`,
      "'qanat init' makes one; if runs were launched here before, 'qanat doctor --repair' rebuilds it",
    )
  }
  if (create) for (const place of [dirname(path), path]) refuseLink(place)
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
  if (isCurrent(contentOf(connection))) return connection
  connection.close()
  throw new OperationError(`${path} has another schema`)
}

/** @throws ReadOnlyDatabaseError if nothing can be stored in a database, before anything is made in vain */
export function refuseUnwritable(path: string): void {
  if (!isWritable(path) || !isWritable(dirname(path))) throw new ReadOnlyDatabaseError(path)
}

/** Which file has that path now: one that is put in its place is another. */
export function fileOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return `${dev} ${ino}`
}

/** @param file of the connection, see {@link fileOf} @throws OperationError if the database is another one by now */
export function refuseOther(connection: Connection, path: string, file: string): void {
  const isMigrated = connection.pragma('user_version', { simple: true }) !== schemaNumber
  if (!isMigrated && fileOf(path) === file) return
  if (!existsSync(path)) {
    throw new OperationError(
      `the project is no longer in ${dirname(dirname(path))}: its folder was moved, or its database deleted`,
      'end this command with Ctrl-C, and start it where the project is now',
    )
  }
  throw new OperationError(
    isMigrated ? 'a newer Qanat has changed the database meanwhile' : 'another database is in place of this one by now',
    'end this command with Ctrl-C, and start it again',
  )
}

/** What is still known of the runs in a database that cannot be opened any more. */
export interface FormerRuns {
  /** The highest run id ever given, as far as is known. */
  readonly lastId: number
  readonly runs: readonly { readonly id: number; readonly token: string; readonly storagePath: string }[]
}

/** Reads what can be read of the runs in a database, of whatever schema and damaged or lost as it may be. */
export function formerRuns(path: string): FormerRuns {
  const runs: FormerRuns['runs'][number][] = []
  let lastId = 0
  try {
    const connection = new Database(path, { readonly: true, fileMustExist: true, nativeBinding: addon() })
    try {
      const ids = connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'runs'").pluck()
      lastId = Number(ids.get() ?? 0)
      const rows = connection.prepare('SELECT id, token, storage_path AS storagePath FROM runs')
      for (const run of rows.iterate() as Iterable<FormerRuns['runs'][number]>) {
        lastId = Math.max(lastId, run.id)
        runs.push(run)
      }
    } finally {
      connection.close()
    }
  } catch (error) {
    if (!(explainDatabase(error) instanceof QanatError)) throw error
  }
  return { lastId, runs }
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
  const content = contentOf(connection)
  const isNew = create && content.version === 0 && content.made.size === 0
  if (!isNew) refuseUnusable(content, path)
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  if (isNew || content.version < schemaNumber) {
    connection.pragma('journal_mode = DELETE')
    migrate(connection)
  }
  if (isNew) chmodSync(path, privateMode(process.umask()))
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
  if (code === 'SQLITE_READONLY_DBMOVED') {
    return new DatabaseError(`${path} was moved or deleted meanwhile`, 'qanat doctor        says what is there')
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

/**
 * From now on, tables are kept in memory until the connection is closed: temporary ones, which hide those of the file and begin
 * with what these hold.
 */
export function keepInMemory(connection: Connection, tables: readonly string[]): void {
  connection.pragma('temp_store = MEMORY')
  for (const table of tables) {
    const made = connection.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?').pluck().get(table) as string
    const alone = made
      .replace(/^CREATE TABLE/, 'CREATE TEMP TABLE')
      .replace(/ REFERENCES runs \(id\) ON DELETE CASCADE/, '')
    connection.exec(`${alone}; INSERT INTO temp.${table} SELECT * FROM main.${table}`)
  }
}
