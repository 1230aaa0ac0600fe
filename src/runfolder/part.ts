import { closeSync, fstatSync, readSync, realpathSync, statSync } from 'node:fs'
import { openRegular } from '../system/regular-file.js'

/** A part of a file. */
export interface TextPart {
  readonly bytes: Uint8Array
  /** Where the part begins in the file, in bytes. */
  readonly start: number
  /** The size of the file; 0 if there is none. */
  readonly size: number
}

const nothing: TextPart = { bytes: new Uint8Array(), start: 0, size: 0 }

/**
 * The bytes of a file from a position to its end; only its last ones if they are more than `most`. A file that has become
 * shorter is read from its start. Nothing of a file that is not there, is not a regular file, or lies outside of the folder
 * because a link leads there.
 * @param folder absolute
 */
export function readPart(path: string, folder: string, from: number, most: number): TextPart {
  const file = openRegular(path)
  if (file === null) return nothing
  try {
    // Compared after it was opened: whatever is in its place by then, this is what would be read.
    const real = realpathSync(path)
    const [opened, there] = [fstatSync(file), statSync(real)]
    const isInside = real.startsWith(`${realpathSync(folder)}/`)
    if (!isInside || opened.ino !== there.ino || opened.dev !== there.dev) return nothing
    const { size } = opened
    const start = Math.max(from > size ? 0 : from, size - most)
    const bytes = Buffer.alloc(size - start)
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start)), start, size }
  } catch {
    // It was removed in between.
    return nothing
  } finally {
    closeSync(file)
  }
}
