import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** A folder or a file into which files are copied. It appears under its name only when it is complete. */
export interface Archive {
  /** Adds a file. @param name relative, with slashes @param pieces its content, each valid until the next is asked for */
  add(name: string, pieces: Iterable<Uint8Array>): void
  /** Makes it appear. @throws UserError if something is there by now */
  close(): void
  /** Removes what was written, unless it is closed. */
  discard(): void
}

/** What was copied of a file. */
export interface Copied {
  /** In bytes. */
  readonly size: number
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string
}

/** In bytes. A stream would take ten times as long for a small file. */
const pieceSize = 64 * 1024

/** Adds a text to an archive. */
export function addText(archive: Archive, name: string, text: string): Copied {
  const bytes = Buffer.from(text)
  archive.add(name, [bytes])
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Copies a file into an archive. */
export function addFile(archive: Archive, name: string, source: string): Copied {
  const hash = createHash('sha256')
  let size = 0
  function* read(): Iterable<Uint8Array> {
    const file = openSync(source, 'r')
    const buffer = Buffer.allocUnsafe(pieceSize)
    try {
      for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
        const piece = buffer.subarray(0, count)
        hash.update(piece)
        size += count
        yield piece
      }
    } finally {
      closeSync(file)
    }
  }
  archive.add(name, read())
  return { size, sha256: hash.digest('hex') }
}
