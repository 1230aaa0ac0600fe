import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '../errors.js'
import { faultPoint } from './fault-point.js'
import { identify, lifeOf, type ProcessIdentity } from './process-identity.js'

/** Longer than any checkout should take, in milliseconds. */
const patience = 15 * 60_000

/**
 * Does `work` while no other program does work under the same file, on this host or another one.
 * The lock of a program of this host that died is taken over. The folder of the file is made where it is missing.
 * @throws OperationError where somebody else keeps it for a quarter of an hour
 */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const own = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(own, JSON.stringify(identify(process.pid)))
  faultPoint('lock-wanted')
  try {
    await acquire(file, own)
    faultPoint('lock-taken')
    removeRemains(file)
    try {
      return await work()
    } finally {
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
}

async function acquire(file: string, own: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < patience; await sleep(20)) {
    try {
      linkSync(own, file)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = holderOf(file)
    if (holder && lifeOf(holder) === 'dead') rmSync(file, { force: true })
  }
  throw new OperationError(`another program keeps ${file}`, 'if none is at work, delete that file')
}

/** Deletes the files of programs of this host that were killed while they waited or worked. The caller holds the lock. */
function removeRemains(file: string): void {
  const names = readdirSync(dirname(file)).filter(name => name.startsWith(`${basename(file)}.`))
  for (const path of names.map(name => join(dirname(file), name))) {
    const owner = holderOf(path)
    if (owner && lifeOf(owner) === 'dead') rmSync(path, { force: true })
  }
}

function holderOf(file: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity
  } catch {
    return null
  }
}
