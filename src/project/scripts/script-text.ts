import { rmSync } from 'node:fs'
import { createFile } from '../../system/files.js'
import { hasProgram } from '../../system/programs.js'
import { readRegular } from '../../system/regular-file.js'

/** How much of a script is read, in characters. */
const mostRead = 200_000

/** The beginning of a script; null if it is no file that can be read. @param path absolute */
export function textOfScript(path: string): string | null {
  return readRegular(path)?.slice(0, mostRead) ?? null
}

/** Whether a file can be started as a program itself. @param path absolute */
export function isExecutable(path: string): boolean {
  return hasProgram(path)
}

/**
 * Writes a new description.
 * @param path absolute
 * @returns a function that removes it
 * @throws any error if something is there already
 */
export function writeDescription(path: string, text: string): () => void {
  createFile(path, text)
  return () => rmSync(path, { force: true })
}
