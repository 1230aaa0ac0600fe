import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { userCommand } from '../../domain/user-command.js'
import { atomicWrite } from '../../system/files.js'
import { type HereEnd, type HereOptions, runHere } from '../../system/programs.js'
import type { Project } from '../find-project.js'

/**
 * Calls a script of the project that is no script of a run, such as that of an action, on the user's terminal.
 * @param words its arguments, byte for byte
 */
export function callScript(
  script: { readonly executable: string; readonly executableCommand: string },
  words: readonly string[],
  options: HereOptions,
): Promise<HereEnd> {
  return runHere(userCommand(script, words), options)
}

/** Keeps a manifest under the digest of its text, so that a recorded command can be repeated. @returns its absolute path */
export function keepManifest({ dataFolder }: Project, text: string): string {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const path = join(dataFolder, 'manifests', `${name}.json`)
  if (!existsSync(path)) atomicWrite(path, text)
  return path
}
