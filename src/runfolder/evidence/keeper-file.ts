import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { identify, type ProcessIdentity } from '../../system/process-identity.js'
import { holdFile, keeperFile } from '../layout.js'

/** The keeper of the pool of an attempt, as recorded by itself; null if it did not get that far. */
export function readKeeper(storagePath: string, attempt: number): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(`${storagePath}/${keeperFile(attempt)}`, 'utf8')) as ProcessIdentity
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether a slot of the pool of an attempt waits for a free GPU. */
export function waitsForGpu(storagePath: string, attempt: number): boolean {
  const pool = dirname(`${storagePath}/${keeperFile(attempt)}`)
  return existsSync(pool) && readdirSync(pool).some(name => name.startsWith('waits_'))
}

/** Lets the pool of a local run start no more groups, until what is returned is called, or this process has ended. */
export function holdStarts(storagePath: string): () => void {
  const path = `${storagePath}/${holdFile}`
  writeFileSync(`${path}.new`, JSON.stringify(identify(process.pid)))
  renameSync(`${path}.new`, path)
  return () => rmSync(path, { force: true })
}
