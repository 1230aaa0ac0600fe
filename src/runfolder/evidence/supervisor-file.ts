import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../system/process-identity.js'
import { supervisorFile } from '../layout.js'

/** The supervisor of an attempt, as it has written itself down; null where it has not come that far. */
export function readSupervisor(storagePath: string, attempt: number): ProcessIdentity | null {
  const path = `${storagePath}/${supervisorFile(attempt)}`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity) : null
}

/** Writes down the supervisor of an attempt, whole or not at all. */
export function writeSupervisor(storagePath: string, attempt: number, supervisor: ProcessIdentity | null): void {
  const path = `${storagePath}/${supervisorFile(attempt)}`
  writeFileSync(`${path}.new`, JSON.stringify(supervisor))
  renameSync(`${path}.new`, path)
}
