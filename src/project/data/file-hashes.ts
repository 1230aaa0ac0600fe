import { createHash } from 'node:crypto'
import { closeSync, fstatSync, readFileSync, readSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isRacy, stateOf } from '../../system/digest.js'
import { atomicWrite } from '../../system/files.js'
import { openRegular } from '../../system/regular-file.js'

/** `content` reads all of a file, `sample` some blocks of it. */
export type HashKind = 'content' | 'sample'

const prefixes: Readonly<Record<HashKind, string>> = { content: 'sha256', sample: 'sample' }

const blockSize = 64 * 1024
/** How many blocks of a large file are read: the first, the last, and some at equal distances between them. */
const sampledBlocks = 5
const pieceSize = 4 * 1024 * 1024

/**
 * Hashes of files that are computed again only if the inode, the size or a time of the file has changed. They are kept in
 * one file, which only saves time: it may be missing, damaged or not writable.
 */
export class FileHashes {
  private memory: Map<string, readonly [state: string, hash: string]> | null = null
  private readonly used = new Map<string, readonly [state: string, hash: string]>()
  private isNew = false

  /** @param file absolute path of the file of known hashes @param now the time in milliseconds since the epoch */
  constructor(
    private readonly file: string,
    private readonly now = Date.now,
  ) {}

  /** The hash of a file that is as it was when its hash was kept; null for any other. No file is opened. */
  known(name: string, stats: Stats, kind: HashKind): string | null {
    this.memory ??= readMemory(this.file)
    const known = this.memory.get(name)
    if (known?.[0] !== stateOf(stats) || !known[1].startsWith(`${prefixes[kind]}:`)) return null
    this.used.set(name, known)
    return known[1]
  }

  /**
   * The hash of a file; null if it cannot be read, or changes while it is read, or if the time is up before it is read.
   * @param name of the file in the memory, such as its path relative to the dataset
   * @param path absolute
   * @param until a time of `performance.now()`
   */
  async of(name: string, path: string, kind: HashKind, until: number): Promise<string | null> {
    const file = openRegular(path)
    if (file === null) return null
    try {
      const before = fstatSync(file)
      const state = stateOf(before)
      const known = this.known(name, before, kind)
      if (known !== null) return known
      const begun = this.now()
      const hash = await hashOf(file, before, kind, until)
      if (hash === null || stateOf(fstatSync(file)) !== state) return null
      if (!isRacy(before, begun)) {
        this.used.set(name, [state, hash])
        this.isNew = true
      }
      return hash
    } catch {
      return null
    } finally {
      closeSync(file)
    }
  }

  /** Keeps the hashes, if any of them is new. @param all whether those that were not asked for are no longer needed */
  keep(all: boolean): void {
    if (!this.isNew) return
    const kept = all ? this.used : new Map([...(this.memory ?? []), ...this.used])
    try {
      atomicWrite(this.file, `${JSON.stringify([...kept])}\n`)
    } catch {
      // The file only saves time.
    }
  }
}

async function hashOf(file: number, { size }: Stats, kind: HashKind, until: number): Promise<string | null> {
  const hash = createHash('sha256')
  const isSampled = kind === 'sample' && size > sampledBlocks * blockSize
  if (kind === 'sample') hash.update(`${size} `)
  const buffer = Buffer.allocUnsafe(isSampled ? blockSize : Math.min(pieceSize, size + 1))
  for (let piece = 0, at = 0; ; piece++) {
    if (performance.now() >= until) return null
    if (isSampled && piece === sampledBlocks) break
    if (isSampled) at = Math.floor((piece * (size - blockSize)) / (sampledBlocks - 1))
    const read = readSync(file, buffer, 0, buffer.length, at)
    if (read === 0) break
    hash.update(buffer.subarray(0, read))
    at += read
    // Signals are noticed between two pieces.
    await setImmediate()
  }
  return `${prefixes[kind]}:${hash.digest('hex')}`
}

function readMemory(path: string): Map<string, readonly [string, string]> {
  try {
    const entries = JSON.parse(readFileSync(path, 'utf8')) as [string, readonly [string, string]][]
    return new Map(entries.filter(([, known]) => Array.isArray(known) && typeof known[1] === 'string'))
  } catch {
    return new Map()
  }
}
