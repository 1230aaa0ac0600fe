import {
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fewOf } from '../../domain/text/names.js'
import { OperationError } from '../../errors.js'
import { type Git, GitError, openGit, withoutHooks } from '../git.js'
import type { TreeState } from '../tree-state.js'

/** A file that stands for data which are elsewhere. */
interface Pointer {
  readonly tool: 'Git LFS' | 'git-annex'
  /** The name of the data. */
  readonly key: string
}

/** The longest pointer file: of Git LFS by its specification, and far more than git-annex writes. In bytes. */
const longest = 1_024

/** A larger file is compared by its size alone, in bytes. */
const compared = 1_000_000

/** The pointer in a file; null if the file is none, or is not there. */
function pointerIn(path: string): Pointer | null {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size === 0 || stats.size > longest) return null
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(longest)
    const text = bytes.toString('latin1', 0, readSync(file, bytes))
    const lfs = /^version https:\/\/git-lfs\.github\.com\/spec\/[\s\S]*^oid (\S+)$/m.exec(text)
    if (lfs) return { tool: 'Git LFS', key: lfs[1]! }
    const annex = /^\/annex\/objects\/(\S+)/.exec(text)
    return annex ? { tool: 'git-annex', key: annex[1]! } : null
  } finally {
    closeSync(file)
  }
}

/** Whether a file stands for data which are elsewhere. */
export function isPointer(path: string): boolean {
  return pointerIn(path) !== null
}

/** A file as an index has it. */
interface Indexed {
  readonly mode: string
  readonly blob: string
}

/** The files of an index that a filter of git writes, by their paths in the repository. */
export async function filteredFiles(git: Git): Promise<Map<string, Indexed>> {
  const configured = await git
    .run('config', '--null', '--name-only', '--get-regexp', '^filter\\.')
    .catch(ignoreGitError)
  const keys = (configured ?? '').split('\0').filter(key => key !== '')
  const names = new Set(['lfs', 'annex', ...keys.map(key => key.replace(/^filter\.|\.[^.]*$/g, ''))])
  const places = [...names].filter(name => /^[\w.+-]+$/.test(name)).map(name => `:(top,attr:filter=${name})`)
  const listed = await git.run('ls-files', '--stage', '-z', '--full-name', '--', ...places)
  const entries = listed.split('\0').map(entry => /^(100\d+) (\S+) 0\t(.*)$/s.exec(entry))
  return new Map(entries.flatMap(found => (found ? [[found[3]!, { mode: found[1]!, blob: found[2]! }] as const] : [])))
}

function ignoreGitError(error: unknown): null {
  if (error instanceof GitError) return null
  throw error
}

/** The files of a tree that a filter of git writes, such as those of Git LFS. Relative to the repository's root. */
export async function filteredInTree({ git, hasAttributes }: TreeState): Promise<string[]> {
  return hasAttributes ? [...(await filteredFiles(git)).keys()] : []
}

/** The files of a tree whose data are elsewhere: a group would read the pointer instead. Relative to the repository's root. */
export async function pointersInTree({ git, gitRoot, hasAttributes }: TreeState): Promise<string[]> {
  if (!hasAttributes) return []
  return [...(await filteredFiles(git)).keys()].filter(path => pointerIn(join(gitRoot, path)) !== null)
}

/**
 * Puts the data of filtered files into a copy, as they are in the tree: Git LFS may be told to leave pointers when it
 * checks out, and git-annex fills files by a hook.
 * @param isOfTree whether the copy is of the commit that is checked out
 * @throws OperationError if the data of a file are not in this repository
 */
export async function fillFilteredFiles(
  { git, gitRoot, hasAttributes }: TreeState,
  copy: string,
  isOfTree: boolean,
): Promise<void> {
  if (isOfTree && !hasAttributes) return
  const inCopy = openGit(copy)
  const wanted = await filteredFiles(inCopy)
  if (wanted.size === 0) return
  const [present, edited] = await Promise.all([filteredFiles(git), git.run('diff-files', '--name-only', '-z')])
  for (const path of edited.split('\0')) present.delete(path)
  const isInTree = (path: string) => present.get(path)?.blob === wanted.get(path)?.blob
  const replaced = [...wanted.keys()].filter(
    path => isInTree(path) && takeFromTree(join(gitRoot, path), join(copy, path)),
  )
  await noteInIndex(inCopy, replaced)
  const pointers = () => [...wanted.keys()].filter(path => !isInTree(path) && pointerIn(join(copy, path)) !== null)
  const outside = pointers()
  if (outside.length === 0) return
  await inCopy.run(...withoutHooks, 'lfs', 'checkout', '--', ...outside).catch(ignoreGitError)
  await inCopy.run(...withoutHooks, 'annex', 'smudge', '--update').catch(ignoreGitError)
  const missing = pointers()
  if (missing.length > 0) throw dataAreElsewhere(join(copy, missing[0]!), missing)
  await noteInIndex(inCopy, outside)
}

/** Otherwise git takes a file of another size for changed without looking at what its filter makes of it. */
async function noteInIndex(git: Git, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await git.run('update-index', '--', ...paths)
}

/** @returns whether the file of the copy was another one */
function takeFromTree(source: string, place: string): boolean {
  const [stats, there] = [source, place].map(path => lstatSync(path, { throwIfNoEntry: false }))
  if (!stats?.isFile() || !there?.isFile()) return false
  const isSame =
    stats.size === there.size && (stats.size > compared || readFileSync(source).equals(readFileSync(place)))
  if (isSame) return false
  rmSync(place)
  copyFileSync(source, place, constants.COPYFILE_FICLONE)
  utimesSync(place, stats.atime, stats.mtime)
  return true
}

/** @param pointer one of the files, absolute @param paths to tell */
export function dataAreElsewhere(pointer: string, paths: readonly string[]): OperationError {
  const { tool, key } = pointerIn(pointer)!
  const fetch = tool === 'Git LFS' ? 'git lfs fetch --all' : `git annex get --key ${key}`
  return new OperationError(
    `the frozen copy would have pointers of ${tool} instead of data, which are not in this repository: ${fewOf(paths)}`,
    `${fetch}        gets them, if a remote has them`,
  )
}
