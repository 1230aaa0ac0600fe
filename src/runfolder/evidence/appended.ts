import { closeSync, fstatSync, readSync } from 'node:fs'
import { openRegular } from '../../system/regular-file.js'

/** How far a file has been read, in bytes. */
export interface Place {
  offset: number
}

/** In bytes; every line and every event is shorter. */
export const chunkSize = 1024 * 1024

/**
 * Reads what was added to a file, in pieces of about a megabyte that end with the separator, and moves `place`. Text
 * after the last separator is still being written, and is left for the next call, unless it is longer than a piece. A
 * file that has become shorter is read from its start.
 */
export function* appended(path: string, place: Place, separator = '\n'): Generator<string> {
  const file = openRegular(path)
  if (file === null) return
  try {
    if (fstatSync(file).size < place.offset) place.offset = 0
    const chunk = Buffer.alloc(chunkSize)
    let rest = Buffer.alloc(0)
    for (;;) {
      const size = readSync(file, chunk, 0, chunkSize, place.offset + rest.length)
      if (size === 0) return
      rest = Buffer.concat([rest, chunk.subarray(0, size)])
      const end = rest.lastIndexOf(separator)
      if (end < 0 && rest.length < chunkSize) continue
      const piece = end < 0 ? rest : rest.subarray(0, end + separator.length)
      rest = Buffer.from(rest.subarray(piece.length))
      place.offset += piece.length
      yield piece.toString('utf8')
    }
  } finally {
    closeSync(file)
  }
}

/** The first and the last bytes of a file, as text, and its size; null if there is no such file. */
export function endsOf(path: string, most: number): { head: string; tail: string; size: number } | null {
  const file = openRegular(path)
  if (file === null) return null
  try {
    const { size } = fstatSync(file)
    const read = (at: number) => {
      const bytes = Buffer.alloc(Math.min(size, most))
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, at))
    }
    return { head: read(0), tail: read(Math.max(0, size - most)), size }
  } finally {
    closeSync(file)
  }
}
