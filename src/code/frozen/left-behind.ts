import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { atomicWrite, placeIn } from '../../system/files.js'
import { type Git, GitError, openGit } from '../git.js'
import { importsFolder } from '../imports/imports-folder.js'
import { recordedIn } from '../run-code.js'
import { type Nested, readChanges, submodulesOf } from '../tree-state.js'
import { ownIn } from './own-mark.js'

/** File beside a copy that contains files which could not be moved: no other run may use the copy. */
export function keptMark(copy: string): string {
  return `${copy}.kept`
}

/** Makes such a file. @param runId of the run whose files are there; undefined if they are not those of a run */
export function markKept(copy: string, runId?: number): void {
  atomicWrite(keptMark(copy), runId === undefined ? '' : `${runId}\n`)
}

/** Whether a copy has such a file. */
export function isKept(copy: string): boolean {
  return existsSync(keptMark(copy))
}

/** Whether a copy has such a file for a run. */
export function isKeptFor(copy: string, runId: number): boolean {
  const mark = keptMark(copy)
  return existsSync(mark) && readFileSync(mark, 'utf8').trim() === String(runId)
}

/** Changes that scripts have made to a frozen copy. Paths are relative to it. */
export interface CopyState {
  /** The commit that is checked out. */
  readonly head: string
  /** Whether a branch is checked out, which every commit in the copy would move. */
  readonly isOnBranch: boolean
  /** Whether they have changed or removed files of the recorded commit, also by a commit of their own. */
  readonly changed: boolean
  /** Those of the recorded code. */
  readonly submodules: readonly Nested[]
  /** New files, and new folders that contain no file of the commit and none of our links. */
  readonly left: readonly string[]
}

/**
 * How a copy differs from the code for which it was made; null if it is not a checkout, where git would use the repository
 * around it, or if that code is no longer in the repository.
 * @param recorded the commit or tree of that code, or its first digits
 */
export async function copyState(copy: string, recorded = recordedIn(copy)): Promise<CopyState | null> {
  if (!existsSync(copy)) return null
  const git = openGit(copy)
  const asked = ['--untracked-files=normal', '--ignored=traditional', '--ignore-submodules=untracked', '--no-renames']
  const [place, status, nested] = await Promise.allSettled([
    git.run('rev-parse', '--show-toplevel', 'HEAD', 'HEAD^{tree}'),
    git.run('status', '--porcelain=v2', '--branch', '-z', ...asked),
    submodulesOf(copy, recorded),
  ])
  if (place.status === 'rejected') {
    if (place.reason instanceof GitError) return null
    throw place.reason
  }
  const [topLevel, head = '', tree = ''] = place.value.split('\n')
  if (topLevel !== realpathSync(copy)) return null
  if (status.status === 'rejected') throw status.reason
  const isRecorded = head.startsWith(recorded) || tree.startsWith(recorded)
  const committed = isRecorded ? { added: [], changed: [] } : await committedSince(git, recorded)
  if (!committed) return null
  const added = new Set(committed.added)
  const changes = readChanges(status.value).filter(({ path }) => !added.has(path))
  const isMade = (code: string) => code === '??' || code === '!!' || code.startsWith('A')
  const ignored = new Set<string>()
  for (const { code, path } of changes) {
    if (isMade(code)) added.add(path.replace(/\/$/, ''))
    if (code === '!!') ignored.add(path.replace(/\/$/, ''))
  }
  const submodules = nested.status === 'fulfilled' ? nested.value : []
  const isOwn = ownIn(copy)
  const inside = await Promise.all(submodules.map(({ path, commit }) => leftInSubmodule(copy, path, commit)))
  return {
    head,
    isOnBranch: !status.value.includes('# branch.head (detached)\0'),
    changed: committed.changed.length > 0 || changes.some(({ code }) => !isMade(code)),
    submodules,
    left: [...[...added].flatMap(path => madeIn(copy, path, each => isOwn(each, ignored.has(path)))), ...inside.flat()],
  }
}

/** What the commit that is checked out has changed since another one; null if that is not in the repository. */
async function committedSince(git: Git, recorded: string): Promise<{ added: string[]; changed: string[] } | null> {
  const compare = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none']
  const list = async (filter: string) =>
    (await git.run(...compare, `--diff-filter=${filter}`, `${recorded}^{tree}`, 'HEAD')).split('\0').slice(0, -1)
  try {
    const [added, changed] = await Promise.all([list('A'), list('a')])
    return { added, changed }
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/** New files in a submodule of a copy, of which the status of the copy tells nothing. */
async function leftInSubmodule(copy: string, path: string, commit: string): Promise<string[]> {
  const folder = join(copy, path)
  if (!existsSync(join(folder, '.git'))) return []
  return ((await copyState(folder, commit))?.left ?? []).map(each => join(path, each))
}

/** The files and folders at a path that scripts have made: neither our links, nor what builds write, nor caches of Python. */
function madeIn(copy: string, path: string, isOwn: (path: string) => boolean): string[] {
  const stats = lstatSync(join(copy, path), { throwIfNoEntry: false })
  if (basename(path) === '__pycache__' || isOwn(path)) return []
  // Bytes of a name that are not UTF-8 have been replaced in its text.
  if (!stats) return path.includes('\uFFFD') ? [path] : []
  if (stats.isSymbolicLink()) return isOurs(copy, path) ? [] : [path]
  if (!stats.isDirectory()) return [path]
  const names = readdirSync(join(copy, path))
  const made = names.flatMap(name => madeIn(copy, join(path, name), isOwn))
  return made.length === names.length && made.every(each => dirname(each) === path) && made.length > 0 ? [path] : made
}

/**
 * Whether we made a link: it leads to the same path in the repository of the copy. After the project was moved, such a
 * link leads nowhere; after it was copied, it leads into the original project.
 */
function isOurs(copy: string, path: string): boolean {
  const target = readlinkSync(join(copy, path))
  if (['node', 'dvc'].some(folder => target === join(importsFolder(copy), folder, path))) return true
  if (!target.startsWith('/') || !target.endsWith(`/${path}`)) return false
  const root = target.slice(0, -path.length)
  return copy.startsWith(root) || !existsSync(target) || hasSameCopy(root, copy)
}

/** Whether another repository has a frozen copy at the same path, as the original of a copied project does. @param root of it */
function hasSameCopy(root: string, copy: string): boolean {
  const segments = copy.split('/')
  // The project may be any folder of its repository; its copies are three levels below it.
  return segments.slice(1, -2).some((_, at) => existsSync(join(root, ...segments.slice(at + 1))))
}

/**
 * Moves files that scripts have left in a copy to another folder, under the same paths.
 * @param target absolute; it is made where its parent folder is
 * @returns paths that could not be moved, since the target is on another file system
 */
export function moveLeft(copy: string, left: readonly string[], target: string): string[] {
  if (statSync(dirname(target)).dev !== statSync(copy).dev) return [...left]
  return left.filter(path => {
    const folder = dirname(join(target, path))
    mkdirSync(folder, { recursive: true })
    try {
      for (const place of placesOf(copy, path)) renameSync(place, placeIn(folder, lastName(place)))
      return false
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EXDEV') return true
      throw error
    }
  })
}

/** Moves such files back from where they were moved to. Whatever is in their place stays. @param from absolute */
export function moveBack(from: string | Buffer, copy: string | Buffer): void {
  for (const name of readdirSync(from, { encoding: 'buffer' })) {
    const [source, place] = [placeIn(from, name), placeIn(copy, name)]
    const there = lstatSync(place, { throwIfNoEntry: false })
    if (!there) renameSync(source, place)
    else if (there.isDirectory() && lstatSync(source).isDirectory()) moveBack(source, place)
  }
}

/**
 * The paths in a folder, as bytes, that are shown as this text. Several may be, since names that are not UTF-8 can be
 * shown alike.
 */
function placesOf(folder: string | Buffer, path: string): Buffer[] {
  const [name = '', ...rest] = path.split('/')
  const isMeant = (entry: Buffer) => entry.toString() === name
  const names = name.includes('\uFFFD')
    ? readdirSync(folder, { encoding: 'buffer' }).filter(isMeant)
    : [Buffer.from(name)]
  const places = names.map(entry => placeIn(folder, entry))
  return rest.length === 0 ? places : places.flatMap(place => placesOf(place, rest.join('/')))
}

function lastName(place: Buffer): Buffer {
  return place.subarray(place.lastIndexOf('/') + 1)
}
