import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '../../errors.js'

/** Milliseconds in which a file system must grant or refuse a lock; without its lock service it never answers. */
const patience = 20_000

/** A program that asks for SQLite's write lock, prints whether it got it, and keeps it until it is killed. */
const locker = `
  const [driver, path] = process.argv.slice(1)
  const database = new (require(driver))(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    console.log('held')
  } catch (error) {
    console.log(String(error.code).startsWith('SQLITE_BUSY') ? 'refused' : error.message)
  }
  process.stdin.resume()`

/**
 * Whether the locks of a folder's file system work, as the database needs it: one process takes a lock of SQLite there,
 * and a second one must be refused. Also false if not even the first one gets it.
 * @throws OperationError if the folder cannot be written, or the file system does not answer within 20 seconds
 */
export async function locksHold(folder: string): Promise<boolean> {
  const scratch = scratchFolder(folder)
  const lockers: ChildProcess[] = []
  const ask = () => {
    lockers.push(startLocker(join(scratch, 'database.db')))
    return answerOf(lockers.at(-1)!, folder)
  }
  try {
    return (await ask()) === 'held' && (await ask()) === 'refused'
  } finally {
    await Promise.all(lockers.map(end))
    rmSync(scratch, { recursive: true, force: true })
  }
}

function scratchFolder(folder: string): string {
  try {
    return mkdtempSync(join(folder, '.locks-'))
  } catch (error) {
    throw new OperationError(`${folder} cannot be written: ${(error as Error).message}`, 'check its permissions')
  }
}

function startLocker(path: string): ChildProcess {
  const driver = createRequire(join(import.meta.dirname, 'lock-check.js')).resolve('better-sqlite3')
  return spawn(process.execPath, ['-e', locker, driver, path], { stdio: ['pipe', 'pipe', 'ignore'] })
}

async function answerOf(child: ChildProcess, folder: string): Promise<'held' | 'refused'> {
  const stop = AbortSignal.timeout(patience)
  const answer: string = await Promise.race([
    once(child.stdout!, 'data', { signal: stop }).then(([text]) => String(text).trim()),
    once(child, 'exit', { signal: stop }).then(([code]) => `the check ended with code ${code}`),
  ]).catch((error: Error) => (stop.aborted ? 'it does not answer' : error.message))
  if (answer === 'held' || answer === 'refused') return answer
  throw new OperationError(`the file locks in ${folder} could not be checked: ${answer}`)
}

/** Ends a process, but does not wait for long: one that is stuck in a system call may never exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  const gone = new AbortController()
  const deadline = sleep(1000, undefined, { signal: gone.signal }).catch(() => {})
  await Promise.race([once(child, 'exit'), deadline])
  gone.abort()
  child.unref()
}
