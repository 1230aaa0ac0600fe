import { statSync } from 'node:fs'
import { join } from 'node:path'
import { rememberedDigest } from '../../system/digest.js'
import type { Project } from '../find-project.js'
import { whatIsAt } from '../paths.js'

/** The digest of a file that may be large, such as a container, see {@link rememberedDigest}; null for what is no file. */
export async function digestOfLarge({ cacheFolder }: Project, path: string): Promise<string | null> {
  return whatIsAt(path) === 'file' ? rememberedDigest(path, join(cacheFolder, 'digests.json')) : null
}

/** The largest file of which a launch waits for the hash, in bytes: it takes about two seconds. */
const largest = 200_000_000

/** A text that differs if the content of a file does. */
export async function describeContent(project: Project, file: string): Promise<string> {
  const { size, mtime } = statSync(file)
  if (size > largest) return `${size} bytes, last changed ${mtime.toISOString()}, too large for a hash`
  // A program may be executable without being readable.
  return (await digestOfLarge(project, file).catch(() => null)) ?? 'unreadable'
}
