import { closeSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { openRegular } from '../../system/regular-file.js'

/** A place where a file contains one of the texts. */
interface FoundText {
  /** Relative to the folder. */
  readonly path: string
  /** Line of the first place, from 1. */
  readonly line: number
  /** Which text, by its position. */
  readonly text: number
}

const chunkSize = 4 * 1024 * 1024

/** The files of a folder, links left out, that contain a text, each text once for each file. @param folder absolute */
export function* filesWith(folder: string, texts: readonly string[]): Generator<FoundText> {
  for (const path of filesBelow(folder, '')) {
    for (const found of placesIn(join(folder, path), texts)) yield { path, ...found }
  }
}

function* filesBelow(folder: string, below: string): Generator<string> {
  let entries: ReturnType<typeof entriesOf>
  try {
    entries = entriesOf(join(folder, below))
  } catch {
    // It was removed meanwhile, or is not ours to read.
    return
  }
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) yield* filesBelow(folder, path)
    else if (entry.isFile()) yield path
  }
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Reads a file of any size in pieces that overlap, so that no text is cut in two. */
export function placesIn(path: string, texts: readonly string[]): { line: number; text: number }[] {
  const file = openRegular(path)
  if (file === null) return []
  const wanted = texts.map(text => Buffer.from(text))
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1))
  const found = new Map<number, number>()
  const chunk = Buffer.alloc(chunkSize)
  let rest = Buffer.alloc(0)
  let lines = 1
  try {
    for (;;) {
      const size = readSync(file, chunk)
      if (size === 0) break
      const piece = Buffer.concat([rest, chunk.subarray(0, size)])
      for (const [text, bytes] of wanted.entries()) {
        const at = found.has(text) ? -1 : piece.indexOf(bytes)
        if (at >= 0) found.set(text, lines + newlinesIn(piece, at))
      }
      const done = Math.max(0, piece.length - overlap)
      lines += newlinesIn(piece, done)
      rest = Buffer.from(piece.subarray(done))
    }
  } finally {
    closeSync(file)
  }
  return [...found].map(([text, line]) => ({ line, text }))
}

function newlinesIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) count++
  return count
}
