import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'
import { allFetchedFile } from '../layout.js'

/** Notes in the mirror of a run that all of its files have come. @param folder absolute @param end when the run ended, or null */
export function noteAllFetched(folder: string, end: number | null): void {
  const file = join(folder, allFetchedFile)
  if (existsSync(dirname(file))) atomicWrite(file, `${end}\n`)
}

/** Whether all files of a run that ended then have come, and none can have come since. */
export function areAllFetched(folder: string, end: number | null): boolean {
  return readRegular(join(folder, allFetchedFile)) === `${end}\n`
}
