import type { DataFile, DataListing } from './fingerprint.js'

/** How the files of a dataset differ between two times. All paths are sorted. */
export interface DataDifference {
  readonly added: readonly string[]
  readonly gone: readonly string[]
  readonly changed: readonly string[]
  /** Of the changed files, in bytes, at both times. */
  readonly sizes: ReadonlyMap<string, readonly [before: number, after: number]>
  /** Files of which only the time differs, or is all that is known. */
  readonly maybe: readonly string[]
  /** Paths that could be looked at only at one of the two times. */
  readonly unseen: readonly string[]
  /** Paths that could not be looked at, neither the first time nor the second. */
  readonly neverSeen: readonly string[]
  /** Whether a part of the data was not looked at, in which there may be more differences. */
  readonly isPartial: boolean
}

/** Compares the files of a dataset at two times. What was not looked at in one of them is neither added nor gone. */
export function compareListings(before: DataListing, after: DataListing): DataDifference {
  const [old, now] = [filesOf(before), filesOf(after)]
  const added = [...now.keys()].filter(path => !old.has(path) && wasSeen(before, path))
  const gone = [...old.keys()].filter(path => !now.has(path) && wasSeen(after, path))
  const both = [...now].flatMap(([path, file]) => {
    const known = old.get(path)
    return known ? [{ path, state: compareFiles(known, file), sizes: [known.size, file.size] as const }] : []
  })
  const [oldSkipped, nowSkipped] = [new Set(before.skipped), new Set(after.skipped)]
  const skipped = [...new Set([...oldSkipped, ...nowSkipped])].sort()
  const isNeverSeen = (path: string) => oldSkipped.has(path) && nowSkipped.has(path)
  const those = (state: FileState) => both.filter(each => each.state === state)
  const changed = those('changed').sort((one, other) => (one.path < other.path ? -1 : 1))
  return {
    added: added.sort(),
    gone: gone.sort(),
    changed: changed.map(({ path }) => path),
    sizes: new Map(changed.map(({ path, sizes }) => [path, sizes])),
    maybe: those('maybe')
      .map(({ path }) => path)
      .sort(),
    unseen: skipped.filter(path => !isNeverSeen(path)),
    neverSeen: skipped.filter(isNeverSeen),
    isPartial: skipped.length > 0 || [before, after].some(({ partial }) => partial !== null),
  }
}

/** Whether data certainly differ. */
export function isChanged({ added, gone, changed }: DataDifference): boolean {
  return added.length + gone.length + changed.length > 0
}

/** A difference in a few words: `51 files gone, 3 changed`; empty if there is none. */
export function differenceText({ added, gone, changed, maybe }: DataDifference): string {
  const parts = [
    { count: gone.length, text: 'gone' },
    { count: added.length, text: 'added' },
    { count: changed.length, text: 'changed' },
    { count: maybe.length, text: 'maybe changed' },
  ].filter(({ count }) => count > 0)
  return parts
    .map(({ count, text }, at) => `${count}${at > 0 ? '' : count === 1 ? ' file' : ' files'} ${text}`)
    .join(', ')
}

/** What is said of a dataset that is no longer there, after its name. @param path where it was */
export function goneText(path: string): string {
  return `is gone: ${path} does not exist`
}

type FileState = 'same' | 'maybe' | 'changed'

function compareFiles(before: DataFile, after: DataFile): FileState {
  if (before.hash !== null && after.hash !== null && kindOf(before.hash) === kindOf(after.hash)) {
    return before.hash === after.hash ? 'same' : 'changed'
  }
  if (before.size !== after.size) return 'changed'
  return before.mtime !== null && before.mtime === after.mtime ? 'same' : 'maybe'
}

function kindOf(hash: string): string {
  return hash.slice(0, hash.indexOf(':'))
}

function filesOf({ files }: DataListing): Map<string, DataFile> {
  return new Map(files.map(file => [file.path, file]))
}

/** Whether a file at that path would be in a listing. */
function wasSeen({ partial, skipped }: DataListing, path: string): boolean {
  return partial === null && !skipped.some(place => place === '.' || path === place || path.startsWith(`${place}/`))
}

/** The same listing with hashes of the same files. */
export function withHashes(listing: DataListing, hashed: readonly DataFile[]): DataListing {
  const known = new Map(hashed.map(file => [file.path, file]))
  const files = listing.files.map(file => {
    const same = known.get(file.path)
    const isKnown = file.hash === null && same?.size === file.size && same.mtime === file.mtime
    return isKnown ? { ...file, hash: same.hash } : file
  })
  return { ...listing, files }
}
