import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Something that is no regular file, or whose name is not UTF-8. */
export interface OddEntry {
  /** Absolute; a byte that is not UTF-8 is written as `\xff`. */
  readonly path: string
  /** The path in its own bytes. */
  readonly place: Buffer
  /** In bytes. */
  readonly size: number
  /** What it is unless it is a regular file, as in `link to model.pt`. */
  readonly what: string | null
}

/** What nobody may look at. */
export const unreadable = 'unreadable'

/** What the paths are that a listing names as `others`, and all that is in them. What has gone meanwhile is left out. */
export function oddEntries(others: readonly string[]): OddEntry[] {
  return [...new Set(others)].flatMap(path => {
    const found = entriesAt(Buffer.from(path))
    // Node has replaced the bytes that are not UTF-8; names that differ in them only are the same path here.
    const isMeant = (name: Buffer) => !isUtf8(name) && name.toString() === basename(path)
    return path.includes('\uFFFD') ? [...found, ...entriesIn(Buffer.from(dirname(path)), isMeant)] : found
  })
}

function entriesAt(place: Buffer): OddEntry[] {
  try {
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (!stats) return []
    if (stats.isDirectory()) return entriesIn(place)
    return [{ path: textOf(place), place, size: stats.size, what: whatIs(place, stats) }]
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isGone ? [] : [{ path: textOf(place), place, size: 0, what: unreadable }]
  }
}

function entriesIn(folder: Buffer, isMeant = (_name: Buffer) => true): OddEntry[] {
  const names = readdirSync(folder, { encoding: 'buffer' }).filter(isMeant)
  return names.flatMap(name => entriesAt(Buffer.concat([folder, Buffer.from('/'), name])))
}

function whatIs(place: Buffer, stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isSymbolicLink()) return `link to ${textOf(readlinkSync(place, { encoding: 'buffer' }))}`
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

/** The text of a path. */
function textOf(path: Buffer): string {
  if (isUtf8(path)) return path.toString()
  const characters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g
  return path.toString('latin1').replace(characters, found => {
    const bytes = Buffer.from(found, 'latin1')
    return isUtf8(bytes) ? bytes.toString() : [...bytes].map(byte => `\\x${byte.toString(16)}`).join('')
  })
}
