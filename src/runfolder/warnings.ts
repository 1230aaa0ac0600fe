import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../system/regular-file.js'

/** Problems that did not make a group fail, one a line. @param folder absolute */
export function warningsIn(folder: string): string[] {
  return readRegular(fileIn(folder))?.trimEnd().split('\n') ?? []
}

/** Adds problems to those that the groups of a run have told. @param folder absolute */
export function addWarnings(folder: string, warnings: readonly string[]): void {
  if (warnings.length > 0) appendFileSync(fileIn(folder), warnings.map(text => `${text}\n`).join(''))
}

function fileIn(folder: string): string {
  return join(folder, '.run/warnings.txt')
}
