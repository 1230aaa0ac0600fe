import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { atomicWrite } from './files.js'

/** The digest of a file's content, `sha256:…`. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }), hash)
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
  const before = stateOf(path)
  const known = readDigests(memory)[path]
  if (known?.state === before) return known.digest
  const begun = Date.now()
  const digest = await digestOfFile(path)
  if (stateOf(path) !== before || begun - statSync(path).ctimeMs < racy) return digest
  try {
    atomicWrite(memory, `${JSON.stringify({ ...readDigests(memory), [path]: { state: before, digest } })}\n`)
  } catch {
    // The file only saves time.
  }
  return digest
}

function stateOf(path: string): string {
  const { ino, size, mtimeMs, ctimeMs } = statSync(path)
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}

function readDigests(memory: string): Digests {
  try {
    return (JSON.parse(readFileSync(memory, 'utf8')) as Digests | null) ?? {}
  } catch {
    return {}
  }
}
