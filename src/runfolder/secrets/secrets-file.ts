import { rmSync } from 'node:fs'
import { quoteWord } from '../../domain/text/shell-text.js'
import { atomicWrite } from '../../system/files.js'
import { secretsFile } from '../layout.js'

/**
 * Writes the secrets of an attempt as a file that only its owner can read, whatever the umask. job.sh reads it.
 * @param storagePath absolute folder of the run @param secrets values by the names of their variables
 */
export function writeSecrets(storagePath: string, attempt: number, secrets: ReadonlyMap<string, string>): void {
  if (secrets.size === 0) return
  const lines = [...secrets].map(([name, value]) => `export ${name}=${quoteWord(value)}\n`)
  atomicWrite(`${storagePath}/${secretsFile(attempt)}`, lines, 0o600)
}

/** Removes the secrets of attempts, if they have any. @param storagePath absolute folder of the run */
export function removeSecrets(storagePath: string, attempts: readonly number[]): void {
  for (const attempt of attempts) rmSync(`${storagePath}/${secretsFile(attempt)}`, { force: true })
}
