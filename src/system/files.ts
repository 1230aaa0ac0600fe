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

/** True for a file or a folder that is there; a link counts as what it leads to. */
export function exists(path: string): boolean {
  return existsSync(path)
}

/** True for a file; a link counts as what it leads to. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** True for a folder; a link counts as what it leads to. */
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

/** The path with all links in it resolved; as it is where nothing is there. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/**
 * Writes a file so that a reader, and a crash, sees the old text or the new one and never a part.
 * The text may come in pieces, of which about a megabyte is held at a time.
 */
export function atomicWrite(path: string, text: string | Uint8Array | Iterable<string>, mode = 0o666): void {
  const pieces = typeof text === 'string' || text instanceof Uint8Array ? [text] : text
  replace(path, temporary => writeDurably(temporary, pieces, mode))
  keepFolder(dirname(path))
}

/** Makes the names in a folder outlive a crash of the machine, where the file system can. */
function keepFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Some file systems sync no folders, and a folder that may be written need not be readable.
  }
}

/** Writes each file as {@link atomicWrite} does. @param files paths from that folder @returns the paths, as they came */
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

/** Copies a file, whole or not at all, with the times of its source, which tell later whether that has changed. */
export function copyFile(source: string, target: string): void {
  replace(target, temporary => {
    copyFileSync(source, temporary)
    const { atime, mtime } = statSync(source)
    utimesSync(temporary, atime, mtime)
  })
}

/**
 * True where a file is as its source. A copy keeps the time of its source, until it is made again, or git checks it out;
 * then its content is compared.
 */
export function isCopy(source: string, copy: string): boolean {
  const [one, other] = [statSync(source), statSync(copy)]
  if (one.size !== other.size) return false
  // File systems and clocks round it.
  return Math.abs(one.mtimeMs - other.mtimeMs) < 2 || readFileSync(source).equals(readFileSync(copy))
}

/** Makes a file beside its place and moves it there. */
function replace(path: string, make: (temporary: string) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  // Another host, or another container, may have a process of the same number at work on the same file.
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

/** Makes a folder and those above it, unless they are there. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

/** @throws UserError for a link where a file or folder of ours belongs: what it leads to is not ours to change */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new UserError(`${path} is a link, and what it leads to is left alone`, `remove the link: rm ${path}`)
}
