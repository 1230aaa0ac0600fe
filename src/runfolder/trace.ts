import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openedFiles } from '../domain/opened-files.js'
import { traceFile } from './layout.js'

/**
 * The files that the group of a run with a trace has opened, absolute; null if there is no trace.
 * @param folder of the run, absolute
 * @param directory in which the group started, absolute
 */
export async function readTrace(folder: string, directory: string): Promise<Set<string> | null> {
  const input = createReadStream(join(folder, traceFile))
  try {
    return await openedFiles(createInterface({ input }), directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
