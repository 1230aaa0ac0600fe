import { existsSync, rmSync } from 'node:fs'
import { OperationError } from '../../errors.js'
import { isPrivate, writeDurably } from '../../system/files.js'
import { secretsFile } from '../layout.js'
import { holdsRun } from '../record.js'
import { exportLines, variablesMode } from './variables.js'

/**
 * Writes the secrets of an attempt as a file that only its owner can read, whatever the umask. job.sh reads it.
 * @param storagePath absolute folder of the run @param secrets values by the names of their variables
 * @throws OperationError if others could read it, too; then it is gone
 */
export function writeSecrets(storagePath: string, attempt: number, secrets: ReadonlyMap<string, string>): void {
  if (secrets.size === 0) return
  const lines = exportLines(secrets).map(line => `${line}\n`)
  removeSecrets(storagePath, [attempt])
  // Nothing reads it before it is complete. A temporary file would stay behind if this process were killed.
  const file = `${storagePath}/${secretsFile(attempt)}`
  for (const _ of writeDurably(file, lines, variablesMode));
  if (isPrivate(file)) return
  removeSecrets(storagePath, [attempt])
  throw new OperationError(
    `others could read the secrets in ${storagePath}: its file system does not keep the modes of files`,
    'qanat config set result_dir FOLDER        uses another one',
  )
}

/** Removes the secrets of attempts, if they have any. @param storagePath absolute folder of the run */
export function removeSecrets(storagePath: string, attempts: readonly number[]): void {
  for (const attempt of attempts) rmSync(`${storagePath}/${secretsFile(attempt)}`, { force: true })
}

/** The same for a folder that may hold another run by now: then it is left alone. */
export function forgetSecretsOf(storagePath: string, token: string, attempts: readonly number[]): void {
  const left = attempts.filter(attempt => existsSync(`${storagePath}/${secretsFile(attempt)}`))
  if (left.length > 0 && holdsRun(storagePath, token)) removeSecrets(storagePath, left)
}
