import { statSync } from 'node:fs'
import { cancelFile } from '../layout.js'

/** When version 0.1 was asked for the end of a run, in milliseconds since the epoch; null where it was not. */
export function olderCancellation(storagePath: string): number | null {
  return statSync(`${storagePath}/${cancelFile}`, { throwIfNoEntry: false })?.mtimeMs ?? null
}
