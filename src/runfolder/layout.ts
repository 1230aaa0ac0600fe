import { rmSync } from 'node:fs'

/** Folder of the records that job scripts append to, relative to the run's folder. */
export const recordsFolder = '.run/records'
/** There once somebody asked for the end of the run, relative to the run's folder. */
export const cancelFile = '.run/cancelled'

/** A run that was cancelled and is launched again is no longer to end. */
export function forgetCancellation(storagePath: string): void {
  rmSync(`${storagePath}/${cancelFile}`, { force: true })
}
