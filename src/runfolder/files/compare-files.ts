import { join, relative } from 'node:path'
import { withHashes } from '../../domain/data/compare-listings.js'
import type { DataFile } from '../../domain/data/fingerprint.js'
import { compareTexts, type Verdict } from '../../domain/results/reproduced.js'
import { digestOfFile } from '../../system/digest.js'
import { oddEntries, unreadable } from '../../system/folders/odd-entries.js'
import { readRegular } from '../../system/regular-file.js'
import { everything, isOutput, listFolders } from './outputs.js'
import { presenceOf, type ReadFolder } from './presence.js'

/** Larger files are compared as a whole, without tolerance. */
const largestText = 32 * 1024 * 1024

/** The folder of a group, which may be gone. */
export interface ComparedFolder {
  readonly folder: ReadFolder
  /** What was kept of its files at the end of the run, by their paths relative to the folder; null for links and the like. */
  readonly kept: ReadonlyMap<string, DataFile | null>
  /** Says which files there are not what the group has left. */
  readonly isProduct: (file: DataFile) => boolean
}

interface FoundFile {
  /** Absolute; null for a file that is gone. */
  readonly path: string | Buffer | null
  /** What it is if it is no regular file, such as a link; null for a file. */
  readonly what: string | null
  /** In bytes. */
  readonly size: number
  /** Null if it is not known. */
  readonly hash: string | null
}

/**
 * Compares the files in two folders of the same group. The folder itself may be named in them: a script that prints where it
 * stores something prints the same. Links are not followed, but compared. Of files that are gone, the hashes are compared that were kept.
 * @param isIgnored says which paths, relative to the folder, are not compared
 */
export async function compareFiles(
  before: ComparedFolder,
  after: ComparedFolder,
  rtol: number,
  isIgnored: (path: string) => boolean,
): Promise<{ name: string; verdict: Verdict }[]> {
  const isCompared = (path: string) => isOutput(path) && !isIgnored(path)
  const [old, now] = [before, after].map(({ folder: readFolder, kept, isProduct }) => {
    const folder = readFolder.path
    const known = [...kept.values()].filter(file => file !== null)
    const listing = withHashes(listFolders([folder], folder, everything), known)
    const own = listing.files.filter(file => !isProduct(file))
    const there = own.map(({ path, size, hash }): [string, FoundFile] => [
      path,
      { path: join(folder, path), what: null, size, hash },
    ])
    const odd = oddEntries(listing.skipped.map(path => join(folder, path))).map(
      ({ path, place, what, size }): [string, FoundFile] => [
        relative(folder, path),
        { path: place, what: what?.replaceAll(folder, '') ?? null, size, hash: null },
      ],
    )
    // What was a folder that could not be read, for example, may be read by now.
    const isGone = ([path, file]: [string, DataFile | null]) =>
      file !== null || presenceOf(readFolder, path) !== 'there'
    const gone = [...kept]
      .filter(isGone)
      .map(([path, file]): [string, FoundFile] => [
        path,
        { path: null, what: file ? null : 'no file', size: file?.size ?? 0, hash: file?.hash ?? null },
      ])
    return new Map([...gone, ...there, ...odd].filter(([path]) => isCompared(path)))
  })
  const names = [...new Set([...old!.keys(), ...now!.keys()])].sort()
  const compared: { name: string; verdict: Verdict }[] = []
  for (const name of names) {
    const verdict = await verdictOf(old!.get(name), now!.get(name), [before.folder, after.folder], rtol)
    compared.push({ name, verdict })
  }
  return compared
}

async function verdictOf(
  old: FoundFile | undefined,
  now: FoundFile | undefined,
  [before, after]: readonly [ReadFolder, ReadFolder],
  rtol: number,
): Promise<Verdict> {
  if (old === undefined) return before.isMirror ? 'not_fetched' : 'added'
  if (!now?.path) return after.isMirror ? 'not_fetched' : 'missing'
  if (old.what !== null || now.what !== null) {
    if (old.what !== null && old.path === null) return 'unknown'
    return old.what === now.what && old.what !== unreadable ? 'identical' : 'differs'
  }
  const [size, newSize, one, other] = [old.size, now.size, old.path, now.path]
  try {
    if (one === null && old.hash === null && size === newSize) return before.isMirror ? 'not_fetched' : 'unknown'
    if (one === null && old.hash === null) return 'differs'
    if (size === newSize && (await hashOf(old)) === (await hashOf(now))) return 'identical'
  } catch {
    // It was removed meanwhile, or may not be read.
    return 'differs'
  }
  if (one === null) return 'differs'
  if (Math.max(size, newSize) > largestText) return 'differs'
  const [text, newText] = [readRegular(one), readRegular(other)]
  if (text === null || newText === null || isBinary(text) || isBinary(newText)) return 'differs'
  return compareTexts(text.replaceAll(before.path, ''), newText.replaceAll(after.path, ''), rtol)
}

async function hashOf({ path, hash }: FoundFile): Promise<string> {
  return hash ?? digestOfFile(path!)
}

function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\uFFFD')
}
