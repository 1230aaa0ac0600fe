import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TrackedFiles } from '../../code/data/tracked-files.js'
import {
  type DataFile,
  type DataListing,
  type Fingerprint,
  type Level,
  levelFor,
  type Setting,
} from '../../domain/data/fingerprint.js'
import { canRead } from '../../system/regular-file.js'
import type { Project } from '../find-project.js'
import { FileHashes } from './file-hashes.js'
import { digestOf, keepListing } from './listings.js'
import { walk } from './walk.js'

/** A dataset to be looked at. */
export interface DatasetToRead {
  readonly name: string
  readonly setting: Setting
  /** Absolute. */
  readonly path: string
  readonly tracked: TrackedFiles
}

/** What a launch may spend on its data, as the end of runs: milliseconds for all datasets. */
export const launchTime = 2_000

/** At most this many files of a dataset are looked at, unless somebody asks for all. */
export const mostFiles = 100_000

/** How much looking at data may cost: a time of `performance.now()`, and a number of files for each dataset. */
export interface ReadLimits {
  readonly until: number
  readonly files: number
}

/** The files of a dataset, and what was looked at. */
export interface ReadData {
  readonly level: Level
  readonly listing: DataListing
}

/**
 * Lists the files of a dataset, with their hashes as far as its level asks for them and the limits allow it.
 * @returns null if its path is not on this machine
 */
export async function readData(
  project: Project,
  { name, setting, path, tracked }: DatasetToRead,
  limits: ReadLimits,
): Promise<ReadData | null> {
  if (!existsSync(path)) return null
  const found = walk(path, limits)
  const untracked = found.files.filter(file => !tracked.has(file.path)).map(({ stats }) => stats.size)
  const level = levelFor(setting, found.partial === null ? untracked : null)
  const hashes = new FileHashes(join(project.dataFolder, 'hashes', `${name}.json`))
  const files: DataFile[] = []
  for (const { path: inside, stats } of found.files) {
    const known = tracked.get(inside) ?? null
    const isHashed = known === null && level !== 'stat' && level !== 'off'
    const hash = isHashed
      ? (hashes.known(inside, stats, level) ?? (await hashes.of(inside, join(path, inside), level, limits.until)))
      : known
    files.push({ path: inside, size: stats.size, mtime: known === null ? stats.mtimeMs : null, hash })
  }
  hashes.keep(found.partial === null && files.every(file => !lacksHash(level, file)))
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { level, listing: { files, skipped: [...found.skipped].sort(), partial: found.partial } }
}

/** The fingerprint of what was listed; the listing is kept. */
export function fingerprintOf(
  project: Project,
  { name, setting }: DatasetToRead,
  { level, listing }: ReadData,
): Fingerprint {
  const { files } = listing
  const unread = files.filter(file => lacksHash(level, file)).length
  const some = `${unread.toLocaleString('en-US')} of ${files.length.toLocaleString('en-US')} files`
  const unhashed = unread > 0 ? `${some} have no hash: they changed meanwhile, or there was no time to read them` : null
  return {
    name,
    level,
    ...(setting === 'auto' && { auto: true }),
    taken: Date.now(),
    files: files.length,
    tracked: files.filter(({ hash }) => hash?.startsWith('git:')).length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    partial: listing.partial ?? unhashed,
    digest: digestOf(listing),
    listing: keepListing(project, listing),
  }
}

function lacksHash(level: Level, { hash }: DataFile): boolean {
  return hash === null && level !== 'stat'
}

/** The same listing, in which files without a hash that cannot be opened are skipped. A launch only looks at sizes and times. @param top absolute */
export function withoutUnreadable(now: DataListing, top: string): DataListing {
  const unread = now.files.filter(({ path, hash }) => hash === null && !canRead(join(top, path)))
  const paths = new Set(unread.map(({ path }) => path))
  return { ...now, files: now.files.filter(({ path }) => !paths.has(path)), skipped: [...now.skipped, ...paths] }
}
