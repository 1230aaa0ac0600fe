import { closeSync, fstatSync, readSync } from 'node:fs'
import { RowTable } from '../../domain/results/reading/document.js'
import type { ReadMetrics } from '../../domain/results/reading/found.js'
import { searchOutput } from './output-search.js'
import { type GrowingText, growingText, parseMetricFile } from './parse.js'
import { isOfSystem, openText } from './read-text.js'
import type { MetricFiles } from './whole-files.js'

/** What was read of a file, and where the rest begins. */
interface Known {
  /** What tells whether it has changed: the file, its size in bytes and when it was written. */
  readonly state: string
  readonly inode: number
  /** Null if it is read as a whole. */
  readonly text: GrowingText | null
  /** In bytes. */
  readonly offset: number
  /** The bytes before that place, of which there are few: whatever grows still has them. */
  readonly before: Buffer
  readonly read: ReadMetrics | null
}

/** How many bytes before what is new are read again. A file that was written anew differs there. */
const overlap = 64

const nothing = { inode: -1, text: null, offset: 0, before: Buffer.alloc(0) }

/**
 * Reads the files of groups that run, again and again: of one that has grown only what is new, of whole lines; one that was
 * written anew from its start. A document of which a part is there, since it is just being written, keeps its earlier metrics.
 */
export class GrowingFiles implements MetricFiles {
  private readonly known = new Map<string, Known>()
  private isSlow = false

  /** Forgets what was read in a folder. */
  forget(folder: string): void {
    for (const key of this.known.keys()) if (key.startsWith(`${folder}/`)) this.known.delete(key)
  }

  read(path: string, { file, step }: { file: string; step: string | null }, runFolder: string): ReadMetrics | null {
    const begin = (text: string) => growingText(file, text, step)
    return this.look(`${path}\n${step}`, path, runFolder, begin, text => parseMetricFile(file, text, step))
  }

  search(path: string, pattern: string, runFolder: string): ReadMetrics | 'slow' | null {
    const begin = (): GrowingText => {
      const table = new RowTable()
      return {
        add: text => {
          const rows = searchOutput(text, pattern)
          this.isSlow = rows === null
          for (const row of rows ?? []) table.add(row)
          return text.length
        },
        metrics: () => table.metrics(null),
      }
    }
    this.isSlow = false
    const read = this.look(`${path}\n${pattern}`, path, runFolder, begin, () => null)
    return this.isSlow ? 'slow' : read
  }

  /** @param begin null for what is read as a whole */
  private look(
    key: string,
    path: string,
    runFolder: string,
    begin: (text: string) => GrowingText | null,
    whole: (text: string) => ReadMetrics | null,
  ): ReadMetrics | null {
    const file = openText(path, runFolder)
    if (file === null) {
      this.known.delete(key)
      return null
    }
    try {
      const { ino: inode, size, mtimeMs } = fstatSync(file)
      const state = `${inode} ${size} ${mtimeMs}`
      const known = this.known.get(key)
      if (known?.state === state) return known.read
      const now = { state, inode, ...grown(file, size, known?.inode === inode ? known : nothing, begin) }
      const read = now.text?.metrics() ?? tried(() => whole(now.all), known?.read ?? null)
      this.known.set(key, { ...now, read })
      return read
    } finally {
      closeSync(file)
    }
  }
}

/** Reads what is new. @returns all of it where it is no text that grows, or not yet: then it is read as a whole */
function grown(
  file: number,
  size: number,
  known: Pick<Known, 'text' | 'offset' | 'before'>,
  begin: (text: string) => GrowingText | null,
): Pick<Known, 'text' | 'offset' | 'before'> & { all: string } {
  const start = known.offset - known.before.length
  const bytes = bytesOf(file, start, size)
  if (!bytes.subarray(0, known.before.length).equals(known.before)) return grown(file, size, nothing, begin)
  const added = bytes.subarray(known.before.length)
  const lines = added.subarray(0, added.lastIndexOf('\n') + 1)
  const text = lines.toString()
  const growing = known.text ?? begin(text)
  const taken = growing?.add(text) ?? 0
  if (known.text === null && taken === 0) return { ...nothing, all: growing === null ? added.toString() : text }
  const end = known.before.length + (taken === text.length ? lines.length : Buffer.byteLength(text.slice(0, taken)))
  return {
    ...{ text: growing, offset: start + end, all: '' },
    before: Buffer.from(bytes.subarray(Math.max(0, end - overlap), end)),
  }
}

/** The bytes from a place on; fewer if the file has become shorter. */
function bytesOf(file: number, start: number, size: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, size - start))
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start))
}

/** @param earlier what counts as long as what is there cannot be parsed */
function tried(read: () => ReadMetrics | null, earlier: ReadMetrics | null): ReadMetrics | null {
  try {
    return read()
  } catch (error) {
    if (isOfSystem(error)) throw error
    return earlier
  }
}
