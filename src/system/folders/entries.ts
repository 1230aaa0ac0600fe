import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { faultPoint } from '../fault-point.js'
import { atomicWrite, isPrivate, writeDurably } from '../files.js'

/** A file to write into a folder. */
export interface Entry {
  /** Relative to the folder. */
  readonly path: string
  /** It may be an iterable, which is read once, since plans can be large. */
  readonly text: Iterable<string>
  /** `private`: only its owner can read it, whatever the umask. `secret`: it is also in no other place, under no other name. */
  readonly access?: 'executable' | 'private' | 'secret'
}

/** Mode of a file that only its owner can read, whatever the umask. */
const privateMode = 0o600

/**
 * Writes files into a folder of this machine. Whoever reads one meanwhile sees all of it or nothing, but for a secret: a file
 * with a temporary name would stay behind if this process were killed.
 * @returns the paths of private and secret ones that others can read, since the file system does not keep modes
 */
export function writeEntries(folder: string, entries: Iterable<Entry>): string[] {
  const open: string[] = []
  for (const { path, text, access } of entries) {
    const file = join(folder, path)
    if (access === 'secret') {
      rmSync(file, { force: true })
      for (const _ of writeDurably(file, text, privateMode));
    } else atomicWrite(file, text, access === 'private' ? privateMode : access === 'executable' ? 0o777 : undefined)
    faultPoint('launch-file')
    if ((access === 'private' || access === 'secret') && !isPrivate(file)) open.push(path)
  }
  return open
}
