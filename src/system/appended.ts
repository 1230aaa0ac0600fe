import { closeSync, existsSync, openSync, readSync } from 'node:fs'

const largestPiece = 65_536

/** What a file holds from a position in bytes on, in pieces; nothing while it is not there. */
export function* appended(path: string, position: number): Generator<Uint8Array> {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
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
