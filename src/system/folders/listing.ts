import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { digestOfFile } from '../digest.js'

/** What distinguishes a file from the same one after it was written again. */
interface FileState {
  /** In bytes. */
  readonly size: number
  readonly inode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  readonly changed: number
}

/** The regular files that were found, by their absolute paths, in a fixed order. */
export interface Listing {
  readonly files: ReadonlyMap<string, FileState>
  /** Links, pipes and the like, which are not looked at, and what cannot be read or has a name that is not UTF-8. */
  readonly others: readonly string[]
  /** False if the limit was reached first. */
  readonly complete: boolean
}

/** A place to look at. */
export interface Place {
  /** Absolute; a folder, a file, or nothing yet. */
  readonly path: string
  /** Whether folders in it are looked at, too. */
  readonly deep: boolean
}

/** How much is looked at, at most. */
export interface Limit {
  readonly files: number
  readonly milliseconds: number
}

/** Folders of programs, whose files nobody asks for. */
const programFolders: ReadonlySet<string> = new Set(['.git', '.qanat', '.run', '__pycache__', 'node_modules'])

/**
 * Lists the regular files at some places. Links are not followed, except for the places themselves.
 * @param skipped names of folders that are left out
 */
export function listFiles(places: readonly Place[], limit: Limit, skipped = programFolders): Listing {
  const files = new Map<string, FileState>()
  const others: string[] = []
  const end = performance.now() + limit.milliseconds
  const isFull = () => files.size >= limit.files || performance.now() > end
  const visit = (folder: string, deep: boolean): boolean => {
    const entries = entriesOf(folder)
    if (entries === null) others.push(folder)
    for (const entry of entries ?? []) {
      if (isFull()) return false
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) {
        if (!(entry.isFile() && add(path))) others.push(path)
      } else if (deep && !skipped.has(entry.name) && !visit(path, true)) return false
    }
    return true
  }
  // What Node cannot name, since its name is not UTF-8, looks as if it had gone.
  const add = (path: string): boolean => {
    const stats = statsOf(path)
    if (stats?.isFile()) files.set(path, stateOf(stats))
    return stats?.isFile() ?? false
  }
  const complete = places.every(({ path, deep }) => {
    add(path)
    return visit(path, deep)
  })
  return { files, others, complete }
}

/** The entries of a folder by name; none if it is no folder, null if it cannot be read. */
function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' || (code === 'ENOENT' && folder.includes('\uFFFD')) ? null : []
  }
}

/** Undefined if nothing is there, or if only the names in its folder may be read. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined
    throw error
  }
}

function stateOf({ size, ino, mtimeMs, ctimeMs }: Stats): FileState {
  return { size, inode: ino, modified: mtimeMs, changed: ctimeMs }
}

/** What happened to a file between two listings of the same places. */
export interface FileChange {
  readonly path: string
  readonly change: 'made' | 'changed' | 'removed'
  /** In bytes; of a removed file its former size. */
  readonly size: number
}

/**
 * The files that differ between two listings. If the first one is not complete, a file that is not in it counts as made
 * only if it was written since.
 * @param since milliseconds since the epoch
 */
export function changesBetween(before: Listing, after: Listing, since: number): FileChange[] {
  const isNew = ({ changed }: FileState) => before.complete || changed >= since
  const there = [...after.files].flatMap(([path, state]): FileChange[] => {
    const { size } = state
    const former = before.files.get(path)
    if (!former) return isNew(state) ? [{ path, change: 'made', size }] : []
    return isSame(former, state) ? [] : [{ path, change: 'changed', size }]
  })
  const gone = after.complete ? [...before.files].filter(([path]) => !after.files.has(path)) : []
  return [...there, ...gone.map(([path, { size }]): FileChange => ({ path, change: 'removed', size }))]
}

function isSame(one: FileState, other: FileState): boolean {
  const { size, inode, modified, changed } = one
  return size === other.size && inode === other.inode && modified === other.modified && changed === other.changed
}

/**
 * Digests of the contents of files, in their order, until the time is over.
 * @param largest size of a file that is read, in bytes
 * @returns null in the place of a file that was not read
 */
export async function digestsOf(
  files: readonly { readonly path: string; readonly size: number }[],
  { milliseconds, largest }: { readonly milliseconds: number; readonly largest: number },
): Promise<(string | null)[]> {
  const end = performance.now() + milliseconds
  const digests: (string | null)[] = []
  for (const { path, size } of files) {
    const isRead = size <= largest && performance.now() < end
    // It may have gone since it was listed.
    digests.push(isRead ? await digestOfFile(path).catch(() => null) : null)
  }
  return digests
}
