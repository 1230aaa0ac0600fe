import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { identify, isAlive, type ProcessIdentity } from '../../system/process-identity.js'
import { holdFile, supervisorFile } from '../layout.js'

/** The supervisor of an attempt, as recorded by itself; null if it did not get that far. */
export function readSupervisor(storagePath: string, attempt: number): ProcessIdentity | null {
  const path = `${storagePath}/${supervisorFile(attempt)}`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity) : null
}

/** Records the supervisor of an attempt, atomically. */
export function writeSupervisor(storagePath: string, attempt: number, supervisor: ProcessIdentity | null): void {
  writeProcess(`${storagePath}/${supervisorFile(attempt)}`, supervisor)
}

function writeProcess(path: string, identity: ProcessIdentity | null): void {
  writeFileSync(`${path}.new`, JSON.stringify(identity))
  renameSync(`${path}.new`, path)
}

/** Lets the supervisor of a local run start no more groups, until what is returned is called, or this process has ended. */
export function holdStarts(storagePath: string): () => void {
  const path = `${storagePath}/${holdFile}`
  writeProcess(path, identify(process.pid))
  return () => rmSync(path, { force: true })
}

/** Whether a process that lives holds the starts of a local run. */
export function areStartsHeld(storagePath: string): boolean {
  const path = `${storagePath}/${holdFile}`
  if (!existsSync(path)) return false
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity | null
    return holder !== null && isAlive(holder)
  } catch {
    // It may have gone meanwhile.
    return false
  }
}
