import { closeSync, readSync } from 'node:fs'
import { openRegular } from './regular-file.js'

const largestPiece = 65_536

/** The content of a file from a byte position on, in pieces; empty if there is no readable file. */
export function* appended(path: string, position: number): Generator<Uint8Array> {
  const file = openRegular(path)
  if (file === null) return
  try {
    for (let at = position; ; ) {
      const piece = Buffer.alloc(largestPiece)
      const size = readSync(file, piece, 0, piece.length, at)
      if (size === 0) return
      at += size
      yield piece.subarray(0, size)
    }
  } finally {
    closeSync(file)
  }
}
