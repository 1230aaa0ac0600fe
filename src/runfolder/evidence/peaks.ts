import { closeSync, constants, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { peakFile } from '../layout.js'

/**
 * Notes the most memory that the group of a slot has had so far, for its job script, which records it with the end. If the
 * folder of the run is gone or full, the peak remains unknown.
 * @param journal name of the journal of the slot @param bytes of all processes of the group
 */
export function notePeak(storagePath: string, journal: string, index: number, bytes: number): void {
  const path = `${storagePath}/${peakFile(journal)}`
  try {
    if (!existsSync(dirname(path))) mkdirSync(dirname(path))
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT)
    // One write of the same length each time: the script never reads a part of a line, or the rest of an earlier one.
    writeSync(file, `${`${index} ${bytes}`.padEnd(39)}\n`, 0)
    closeSync(file)
  } catch {
    // Nothing depends on it.
  }
}
