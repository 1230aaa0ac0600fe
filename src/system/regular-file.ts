import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'

// A script may have put anything in the place of a file of its run: a folder, a link, a named pipe.

/** Opens a file for reading; null if it is not a regular file or cannot be read. */
export function openRegular(path: string | Buffer): number | null {
  // A refresh looks for thousands of files that do not exist yet: an error for each would take twenty times as long.
  if (!existsSync(path)) return null
  let file: number
  try {
    // Opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  return null
}

/** Whether something is a regular file that can be read. */
export function canRead(path: string): boolean {
  const file = openRegular(path)
  if (file !== null) closeSync(file)
  return file !== null
}

/** The text of a file; null if it is not a regular file or cannot be read. */
export function readRegular(path: string | Buffer): string | null {
  return readBytes(path)?.toString() ?? null
}

/** The bytes of a file; null if it is not a regular file or cannot be read. */
export function readBytes(path: string | Buffer): Buffer | null {
  const file = openRegular(path)
  if (file === null) return null
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** The size of a regular file, in bytes; -1 if it is none. Links are followed. */
export function fileSize(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : -1
}

/** The number of the user who owns a file or a folder. */
export function ownerOf(path: string): number {
  return statSync(path).uid
}
