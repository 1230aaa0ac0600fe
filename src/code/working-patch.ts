import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { GitError, openGit } from './git.js'
import { addTree, withIndexCopy } from './index-copy.js'
import { runReference } from './run-reference.js'
import type { TreeState } from './tree-state.js'

/** The working tree with its uncommitted changes, as git objects that belong to no branch. */
export interface WorkingPatch {
  /** A commit on top of the one that is checked out. */
  readonly commit: string
  /** Id of its tree: the same for the same changes. */
  readonly tree: string
}

/** In bytes. */
const maximalPatchSize = 50 * 1024 * 1024

/**
 * Records the uncommitted changes of a tree without touching its index.
 * @throws UserError if they are larger than 50 MB
 */
export async function takeWorkingPatch(state: TreeState): Promise<WorkingPatch> {
  const tree = await workingTree(state)
  if (tree === null) throw await tooLarge(state)
  const patch = await patchOf(state, tree)
  await inTemporaryFolder(async folder => {
    const file = join(folder, 'patch')
    await writePatch(state, patch, file)
    if (statSync(file).size > maximalPatchSize) throw await tooLarge(state)
  })
  return patch
}

async function patchOf({ git, head }: TreeState, tree: string): Promise<WorkingPatch> {
  const identity = ['-c', 'user.name=qanat', '-c', 'user.email=qanat@localhost', '-c', 'commit.gpgSign=false']
  const message = `Changes that were not committed on ${head}`
  const commit = await git.run(...identity, 'commit-tree', tree, '-p', head, '-m', message)
  return { commit: commit.trim(), tree }
}

/** The changes that a run recorded in this repository; null if it recorded them in another clone. */
export async function findPatch({ git }: TreeState, token: string, tree: string): Promise<WorkingPatch | null> {
  try {
    return { commit: (await git.run('rev-parse', '--verify', '--quiet', runReference(token))).trim(), tree }
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/**
 * Makes the objects of recorded changes from their patch, in a clone that does not have them.
 * @param state its head is the commit on which they were made
 * @param tree id of the tree that has to come out
 * @param file of {@link writePatch}, absolute
 * @returns null if another tree comes out, or the file is no patch
 */
export async function restorePatch(state: TreeState, tree: string, file: string): Promise<WorkingPatch | null> {
  // In a subfolder git would leave out what lies beside it.
  const git = openGit(state.gitRoot)
  return inTemporaryFolder(async folder => {
    const index = join(folder, 'index')
    try {
      await git.runWithIndex(index, 'read-tree', state.head)
      await git.runWithIndex(index, 'apply', '--cached', '--whitespace=nowarn', '--', file)
      const written = (await git.runWithIndex(index, 'write-tree')).trim()
      return written === tree ? await patchOf(state, tree) : null
    } catch (error) {
      if (error instanceof GitError) return null
      throw error
    }
  })
}

/** Writes the patch, with binary and untracked files. Git writes the file directly, since text need not be UTF-8. */
export async function writePatch({ git, head }: TreeState, { tree }: WorkingPatch, file: string): Promise<void> {
  await git.run('diff-tree', '-r', '-p', '--binary', '--full-index', `--output=${file}`, head, tree)
}

async function tooLarge(state: TreeState): Promise<UserError> {
  const [largest] = (await additions(state, 'all')).sort((one, other) => other.bytes - one.bytes)
  return new UserError(
    `the uncommitted changes are larger than 50 MB${largest ? `; the largest file is ${largest.path}` : ''}`,
    'commit them, or add large files to .gitignore',
  )
}

/**
 * Id of a tree object with the working tree, without ignored files. Null if more than 50 MB were added since the last
 * commit; then nothing is written to the repository.
 * @param files whether files that git does not track are left out
 */
export async function workingTree(state: TreeState, files: 'all' | 'tracked' = 'all'): Promise<string | null> {
  const { git, gitRoot, prefix, hidden } = state
  if (totalOf(await additions(state, files)) > maximalPatchSize) return null
  return withIndexCopy(
    git,
    join(gitRoot, prefix),
    async index => {
      const run = (...args: string[]) => git.runWithIndex(index, ...args)
      await addTree(state.submodules, run, { update: files === 'tracked', excluded: [`${prefix}.qanat`] })
      return (await run('write-tree')).trim()
    },
    hidden,
  )
}

/** Files that are new or changed since the last commit, and by how many bytes they have grown. */
async function additions(
  { git, gitRoot, prefix }: TreeState,
  which: 'all' | 'tracked',
): Promise<{ path: string; bytes: number }[]> {
  const places = ['--', ':/', `:(exclude,top)${prefix}.qanat`]
  const [untracked, changed] = await Promise.all([
    which === 'all' ? git.run('ls-files', '--others', '--exclude-standard', '--full-name', '-z', ...places) : '',
    git.run('diff-index', '--name-only', '-z', '--ignore-submodules=all', 'HEAD', ...places),
  ])
  const paths = `${untracked}${changed}`.split('\0').filter(path => path !== '')
  const files = paths.map(path => ({ path, bytes: sizeOf(join(gitRoot, path)) }))
  if (totalOf(files) <= maximalPatchSize) return files
  const committed = await git.run('ls-tree', '-r', '-l', '-z', '--full-tree', 'HEAD')
  const sizes = new Map(committed.split('\0').map(entry => [entry.slice(entry.indexOf('\t') + 1), sizeIn(entry)]))
  return files.map(({ path, bytes }) => ({ path, bytes: Math.max(0, bytes - (sizes.get(path) ?? 0)) }))
}

function totalOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Size of a file in bytes; 0 for a link, a folder, or a missing file. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : 0
}

/** Size of a blob from a line of `git ls-tree -l`: mode, type, id, size, a tab and the path. */
function sizeIn(entry: string): number {
  return Number(/^\S+ \S+ \S+ +(\d+)\t/.exec(entry)?.[1] ?? 0)
}
