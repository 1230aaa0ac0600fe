import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** The digest of a file's content, `sha256:…`. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }), hash)
  return `sha256:${hash.digest('hex')}`
}
