import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../system/regular-file.js'
import { warningsFile } from './layout.js'

/** Problems that did not make a group fail, one a line. @param folder absolute */
export function warningsIn(folder: string): string[] {
  return readRegular(fileIn(folder))?.trimEnd().split('\n') ?? []
}

/**
 * Adds a problem to those that the groups of a run have told, unless it is there already, or the folder is gone.
 * @param folder absolute
 */
export function addWarning(folder: string, warning: string): void {
  if (existsSync(folder) && !warningsIn(folder).includes(warning)) appendFileSync(fileIn(folder), `${warning}\n`)
}

function fileIn(folder: string): string {
  return join(folder, warningsFile)
}
