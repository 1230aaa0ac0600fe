import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file that was found, with what tells whether it has changed since. */
interface FoundFile {
  /** Relative to the top; `.` if the top is a file itself. */
  readonly path: string
  readonly stats: Stats
}

/** What a walk has found. */
export interface Walk {
  /** The same order in each walk. */
  readonly files: readonly FoundFile[]
  /** Paths that could not be read, and paths of pipes, devices and the like, which are never opened. */
  readonly skipped: readonly string[]
  /** Why it ended before everything was seen; null if it did not. */
  readonly partial: string | null
}

/** How much a walk may cost. */
export interface WalkLimits {
  /** A time of `performance.now()`. */
  readonly until: number
  readonly files: number
}

/**
 * The files of a folder and all below it, or one file. Links are followed; a folder that is reached a second time is not
 * walked again, so that a loop ends. Files may come and go meanwhile.
 * @param top absolute
 */
export function walk(top: string, limits: WalkLimits): Walk {
  const files: FoundFile[] = []
  const skipped: string[] = []
  const seen = new Set<string>()
  let partial: string | null = null
  // The last one is next; a stack of its own, since folders may be nested deeper than functions can be.
  const waiting: string[] = ['.']
  // Links come last, so that a file keeps its own path if a link to its folder is added.
  const links: string[] = []
  let followed = 0
  const next = () => waiting.pop() ?? links[followed++]
  for (let path = next(); path !== undefined; path = next()) {
    partial = reached(limits, files.length)
    if (partial !== null) break
    const place = join(top, path)
    try {
      const stats = statSync(place)
      if (stats.isFile()) files.push({ path, stats })
      else if (!stats.isDirectory()) skipped.push(path)
      else if (isNew(seen, stats, place)) {
        const entries = entriesOf(place)
        for (const entry of entries) if (entry.isSymbolicLink()) links.push(join(path, entry.name))
        for (const entry of entries.reverse()) if (!entry.isSymbolicLink()) waiting.push(join(path, entry.name))
      }
    } catch (error) {
      if (!isGone(place, error)) skipped.push(path)
    }
  }
  return { files, skipped, partial }
}

/** When a file, or what a link leads to, was written and was last changed in any way, in milliseconds since the epoch; none if it is gone. */
export function timesOf(path: string): readonly number[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? [stats.mtimeMs, stats.ctimeMs] : []
}

function reached({ until, files }: WalkLimits, found: number): string | null {
  if (found >= files) return `only the first ${files.toLocaleString('en-US')} files were looked at`
  return performance.now() >= until
    ? `only ${found.toLocaleString('en-US')} files were looked at in the time there was`
    : null
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
}

function isNew(seen: Set<string>, { dev, ino }: Stats, place: string): boolean {
  // Some file systems give no inode numbers.
  const identity = ino === 0 ? realpathSync(place) : `${dev} ${ino}`
  if (seen.has(identity)) return false
  seen.add(identity)
  return true
}

/** True for what was deleted since its name was read, but not for a link that leads nowhere, nor for a name that is not UTF-8. */
function isGone(place: string, error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || place.includes('\uFFFD')) return false
  return lstatSync(place, { throwIfNoEntry: false }) === undefined
}
