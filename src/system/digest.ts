import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, type Stats, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { atomicWrite } from './files.js'

/** A file up to this size, in bytes, is read at once: a stream takes ten times as long to begin. */
const small = 1_000_000

/** The digest of a file's content, `sha256:…`. */
export async function digestOfFile(path: string | Buffer): Promise<string> {
  const hash = createHash('sha256')
  const stats = statSync(path)
  if (stats.isFile() && stats.size <= small) hash.update(readFileSync(path))
  else await pipeline(createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }), hash)
  return `sha256:${hash.digest('hex')}`
}

/** Digests of large files by their absolute paths. `state` shows whether a file has changed since it was read. */
type Digests = Readonly<Record<string, { readonly state: string; readonly digest: string }>>

/** A file that was changed this recently, in milliseconds, may change again without a new modification time. */
const racy = 3_000

/**
 * The same for a large file, which is read again only if its size, its inode or its times have changed.
 * @param memory file with known digests; if it cannot be written, the next call reads the large file again
 */
export async function rememberedDigest(path: string, memory: string): Promise<string> {
  const before = stateOf(statSync(path))
  const known = readDigests(memory)[path]
  if (known?.state === before) return known.digest
  const begun = Date.now()
  const digest = await digestOfFile(path)
  const after = statSync(path)
  if (stateOf(after) !== before || isRacy(after, begun)) return digest
  try {
    atomicWrite(memory, `${JSON.stringify({ ...readDigests(memory), [path]: { state: before, digest } })}\n`)
  } catch {
    // The file only saves time.
  }
  return digest
}

/** A text that differs once a file has changed, except for one that {@link isRacy}. */
export function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}

/**
 * Whether a file was changed so shortly before it was read, or by its times after it, that a further change may have left
 * its times as they are.
 * @param begun when reading it has begun, in milliseconds since the epoch
 */
export function isRacy({ mtimeMs, ctimeMs }: Stats, begun: number): boolean {
  return begun - Math.max(mtimeMs, ctimeMs) < racy
}

function readDigests(memory: string): Digests {
  try {
    return (JSON.parse(readFileSync(memory, 'utf8')) as Digests | null) ?? {}
  } catch {
    return {}
  }
}
