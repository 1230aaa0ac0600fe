import { statSync } from 'node:fs'
import { cancelFile } from '../layout.js'

/** When version 0.1 cancelled a run, in milliseconds since the epoch; null if it did not. */
export function olderCancellation(storagePath: string): number | null {
  return statSync(`${storagePath}/${cancelFile}`, { throwIfNoEntry: false })?.mtimeMs ?? null
}
