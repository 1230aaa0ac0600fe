import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../system/process-identity.js'
import { supervisorFile } from '../layout.js'

/** The supervisor of an attempt, as recorded by itself; null if it did not get that far. */
export function readSupervisor(storagePath: string, attempt: number): ProcessIdentity | null {
  const path = `${storagePath}/${supervisorFile(attempt)}`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity) : null
}

/** Records the supervisor of an attempt, atomically. */
export function writeSupervisor(storagePath: string, attempt: number, supervisor: ProcessIdentity | null): void {
  const path = `${storagePath}/${supervisorFile(attempt)}`
  writeFileSync(`${path}.new`, JSON.stringify(supervisor))
  renameSync(`${path}.new`, path)
}
