import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.js'
import { faultPoint } from './fault-point.js'

/** True if a file or a folder exists; links are followed. */
export function exists(path: string): boolean {
  return existsSync(path)
}

/** True for a file; links are followed. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** True for a folder; links are followed. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** True for a file or a folder that this user may write to. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The path with all links resolved; unchanged if it does not exist. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/**
 * Writes a file atomically: readers see the old text or the new one, never a part, even after a crash.
 * The text may be an iterable, of which about a megabyte is in memory at a time.
 */
export function atomicWrite(path: string, text: string | Uint8Array | Iterable<string>, mode = 0o666): void {
  const pieces = typeof text === 'string' || text instanceof Uint8Array ? [text] : text
  replace(path, temporary => writeDurably(temporary, pieces, mode))
  keepFolder(dirname(path))
}

/** Makes new names in a folder survive a crash of the machine, if the file system can. */
function keepFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Some file systems cannot sync folders, and a writable folder need not be readable.
  }
}

/** Writes each file with {@link atomicWrite}. @param files paths relative to the folder @returns these paths */
export function writeFiles(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): string[] {
  for (const { path, text } of files) atomicWrite(join(folder, path), text)
  return files.map(({ path }) => path)
}

/** Removes a file, if there is one. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

/** Copies a file atomically, with the times of its source, so that later changes of the source can be detected. */
export function copyFile(source: string, target: string): void {
  replace(target, temporary => {
    copyFileSync(source, temporary)
    const { atime, mtime } = statSync(source)
    utimesSync(temporary, atime, mtime)
  })
}

/**
 * True if a copy equals its source. If their times differ, because one of them was written again or checked out by git,
 * their contents are compared.
 */
export function isCopy(source: string, copy: string): boolean {
  const [one, other] = [statSync(source), statSync(copy)]
  if (one.size !== other.size) return false
  // File systems round times.
  return Math.abs(one.mtimeMs - other.mtimeMs) < 2 || readFileSync(source).equals(readFileSync(copy))
}

/** Makes a file under a temporary name and renames it. */
function replace(path: string, make: (temporary: string) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  // A random name, since a process on another host or in another container may have the same id.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    make(temporary)
    faultPoint('file-new')
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function writeDurably(path: string, pieces: Iterable<string | Uint8Array>, mode: number): void {
  const file = openSync(path, 'w', mode)
  try {
    let held = ''
    for (const piece of pieces) {
      if (typeof piece !== 'string') writeSync(file, piece)
      else held += piece
      if (held.length > 1_000_000) {
        writeSync(file, held)
        held = ''
      }
    }
    if (held !== '') writeSync(file, held)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder and its parents, unless they exist. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

/** @throws UserError if a link is in the place of our own file or folder: its target must not be changed */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new UserError(`${path} is a link, and Qanat does not write through it`, `remove the link: rm ${path}`)
}
