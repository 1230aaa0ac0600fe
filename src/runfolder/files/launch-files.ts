import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { faultPoint } from '../../system/fault-point.js'
import { atomicWrite, isPrivate } from '../../system/files.js'
import { planFile } from '../layout.js'
import { variablesMode } from '../secrets/variables.js'

/** A file that a launch writes into the folder of its run. The text may be an iterable, since plans can be large. */
export interface LaunchFile {
  /** Relative to the folder. */
  readonly path: string
  readonly text: Iterable<string>
  /** `private`: it may hold secrets. */
  readonly access?: 'executable' | 'private'
}

const modes = { executable: 0o777, private: variablesMode }

/**
 * Writes the files that a runner has prepared.
 * @param storagePath absolute folder of the run
 * @returns the private ones that others can read, since the file system does not keep modes; absolute paths
 */
export function writeLaunchFiles(storagePath: string, files: readonly LaunchFile[]): string[] {
  const open: string[] = []
  for (const { path, text, access } of files) {
    const file = join(storagePath, path)
    atomicWrite(file, text, access && modes[access])
    faultPoint('launch-file')
    if (access === 'private' && !isPrivate(file)) open.push(file)
  }
  return open
}

/** Whether the first files of a launch are there: it may have been killed before, or have rolled them back. */
export function hasPlan(storagePath: string): boolean {
  return existsSync(join(storagePath, planFile))
}
