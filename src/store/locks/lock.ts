import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '../../errors.js'
import { type Connection, openLock } from '../database.js'

/** How long to wait for the lock, in milliseconds: longer than any checkout should take. */
const patience = 15 * 60_000

/**
 * Does `work` while holding a lock on a file, against other programs on this and other hosts. It is a lock of SQLite: it
 * ends with the process that holds it, however that ends, and nobody else can remove it.
 * @param file absolute; it stays there, empty
 * @throws OperationError if another program keeps the lock for a quarter of an hour, or the folder cannot be made
 */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  makeFolder(dirname(file))
  const lock = await take(file, patience)
  if (!lock)
    throw new OperationError(
      `another program has kept ${file} for a quarter of an hour`,
      `fuser ${file}        names its process, on the host where it runs`,
    )
  try {
    return await work()
  } finally {
    lock.close()
  }
}

/** The same if the lock is free within this many milliseconds; otherwise it does nothing. */
export async function withFreeLock(file: string, milliseconds: number, work: () => Promise<void>): Promise<void> {
  makeFolder(dirname(file))
  const lock = await take(file, milliseconds)
  if (!lock) return
  try {
    await work()
  } finally {
    lock.close()
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new OperationError(`no space is left for ${folder}`, 'make room and try again')
    }
    throw new OperationError(
      `${folder} cannot be written`,
      'check the permissions of the folder .qanat, and whether its file system is read-only',
    )
  }
}

/** Null if the lock is not free within this many milliseconds. */
async function take(file: string, milliseconds: number): Promise<Connection | null> {
  for (const start = performance.now(); ; await sleep(20)) {
    const lock = openLock(file)
    if (lock || performance.now() - start > milliseconds) return lock
  }
}
