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
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { displayCommand } from '../domain/text/shell-text.js'
import { OperationError, UserError } from '../errors.js'
import { faultPoint } from './fault-point.js'

/** True if a file or a folder exists; links are followed. */
export function exists(path: string): boolean {
  return existsSync(path)
}

/** True for a file; links are followed. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false
}

/** True for a folder; links are followed. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false
}

/**
 * Undefined if nothing is there, also where a file is in the place of a folder.
 * @param look `lstatSync` for a link itself
 */
export function statsOf(path: string, look = statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
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

/** A path, or the nearest folder or file above it that is there. */
export function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

/** The path of a file in a folder in its own bytes: scripts may make names that are not UTF-8. */
export function placeIn(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), name])
}

/**
 * Writes a file atomically: readers see the old text or the new one, never a part, even after a crash.
 * The text may be an iterable, of which about 100 kB are in memory at a time.
 */
export function atomicWrite(path: string, text: string | Uint8Array | Iterable<string>, mode = 0o666): void {
  const pieces = typeof text === 'string' || text instanceof Uint8Array ? [text] : text
  replace(path, temporary => {
    for (const _ of writeDurably(temporary, pieces, mode));
  })
  keepFolder(dirname(path))
}

/**
 * Makes a file as atomically, but in steps, between which signals are noticed.
 * @param steps makes it under a temporary name
 * @throws the reason of the signal once that is aborted; the file is as it was then
 */
export async function replaceInSteps(
  path: string,
  steps: (temporary: string) => Iterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = temporaryName(path)
  try {
    for (const _ of steps(temporary)) {
      await setImmediate()
      signal.throwIfAborted()
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw aboutFile(error, path)
  }
  keepFolder(dirname(path))
}

/** Errors of writing do not say which file they were about, and those of opening name the temporary one. */
export function aboutFile(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const isOther = 'path' in error && !String(error.path).startsWith(`${path}.`)
  return isOther ? error : Object.assign(error, { path })
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

/** Writes a new file, or leaves none. @throws any error if something is there already */
export function createFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', flush: true })
  } catch (error) {
    // An empty file is left on a full disk.
    if (/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) rmSync(path, { force: true })
    throw explainWriting(error, path)
  }
}

/** Gives a file another name in its folder, which nothing has yet. */
export function renameFile(path: string, name: string): void {
  const target = join(dirname(path), name)
  if (statsOf(target, lstatSync) !== undefined) throw new UserError(`${target} exists`, 'give another name')
  renameSync(path, target)
  keepFolder(dirname(path))
}

/** Removes a file, if there is one. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

/** Whether links can be made in a folder, which exists: some file systems have none. */
export function hasLinks(folder: string): boolean {
  const link = temporaryName(join(folder, '.link'))
  try {
    symlinkSync('.', link)
  } catch (error) {
    if (/^(EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  rmSync(link)
  return true
}

/** Whether only its owner may read a file: some file systems give all files one mode. */
export function isPrivate(path: string): boolean {
  return (statSync(path).mode & 0o077) === 0
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

/** A random name, since a process on another host or in another container may have the same id. */
function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.new`
}

/** Makes a file under a temporary name and renames it. */
function replace(path: string, make: (temporary: string) => void): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = temporaryName(path)
  try {
    make(temporary)
    faultPoint('file-new')
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw aboutFile(error, path)
  }
}

/** Writes a file in steps of about 100 kB: more would outlive collections of garbage. @param pieces all of them texts, or all of them bytes */
export function* writeDurably(path: string, pieces: Iterable<string | Uint8Array>, mode = 0o666): Generator<void> {
  const file = openSync(path, 'w', mode)
  try {
    let held = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') held += piece
      if (typeof piece === 'string' && held.length <= 100_000) continue
      // On a disk that is almost full, a single write stores a part and reports no error.
      writeFileSync(file, typeof piece === 'string' ? held : piece)
      held = ''
      yield
    }
    writeFileSync(file, held)
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
  throw new UserError(`${path} is a link, and Qanat does not write through it`, 'put what it leads to in its place')
}

/** Writes a page into a folder, and removes it. @throws OperationError that says why that is not possible */
export function tryWriting(folder: string): void {
  const file = temporaryName(join(folder, '.qanat'))
  try {
    writeFileSync(file, Buffer.alloc(4096), { flush: true })
  } catch (error) {
    throw explainWriting(error, folder)
  } finally {
    rmSync(file, { force: true })
  }
}

const reasons = new Map([
  ['EROFS', 'its file system is read-only'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'that is not permitted'],
])

/**
 * Explains why something cannot be written, or read for lack of permissions; other errors are returned unchanged.
 * @param written what was being written, if the error may name something else or nothing
 */
export function explainWriting(error: unknown, written?: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code = '', path: named, syscall } = error as NodeJS.ErrnoException
  const path = written ?? named ?? 'a file'
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const hint = `make room; ${displayCommand(['df', '-h', dirname(path)])}        shows how much there is`
    return new OperationError(`no space is left for ${path}`, hint)
  }
  // This is how making a folder with its parents fails on a read-only disk, too.
  const isMissing = code === 'ENOENT' && (written !== undefined || syscall === 'mkdir')
  const reason = isMissing ? reasonAround(path) : reasons.get(code)
  if (reason === undefined) return error
  return new OperationError(`${path} cannot be used: ${reason}`, 'check its permissions, or choose another place')
}

/** Why nothing can be made in the nearest folder that is there. */
function reasonAround(path: string): string {
  const folder = dirname(path)
  if (!existsSync(folder) && folder !== path) return reasonAround(folder)
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const reason = reasons.get((error as NodeJS.ErrnoException).code ?? '')
    if (reason !== undefined) return reason
  }
  return `nothing can be made in ${folder}`
}
