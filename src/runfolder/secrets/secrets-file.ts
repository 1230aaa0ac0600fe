import { existsSync, rmSync } from 'node:fs'
import type { Entry } from '../../system/folders/entries.js'
import { secretsFile } from '../layout.js'
import { exportLines } from './variables.js'

/** The file with the secrets of an attempt, which job.sh reads; none without any. @param secrets values by the names of their variables */
export function secretsEntry(attempt: number, secrets: ReadonlyMap<string, string>): Entry[] {
  if (secrets.size === 0) return []
  return [{ path: secretsFile(attempt), text: exportLines(secrets).map(line => `${line}\n`), access: 'secret' }]
}

/** Whether the secrets of an attempt are still in a folder of this machine. @param storagePath absolute folder of the run */
export function hasSecrets(storagePath: string, attempt: number): boolean {
  return existsSync(`${storagePath}/${secretsFile(attempt)}`)
}

/** Removes the secrets of an attempt from a folder of this machine, if there are any. @param storagePath absolute folder of the run */
export function removeSecrets(storagePath: string, attempt: number): void {
  rmSync(`${storagePath}/${secretsFile(attempt)}`, { force: true })
}
