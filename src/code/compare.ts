import { relative } from 'node:path'
import { GitError, openGit } from './git.js'
import { inspectTree, type TreeState } from './tree-state.js'
import { workingTree } from './working-patch.js'

/** The code that a run recorded. */
export interface RecordedCode {
  readonly commit: string
  /** Git object with the content of a dirty tree; null for a clean one. */
  readonly tree: string | null
}

/**
 * True if the tree of a project differs from what a run recorded.
 * @param projectRoot absolute
 * @param storagePath absolute folder of the run: its files do not count as changes, even if git does not ignore them
 * @param uncounted absolute paths of files and folders whose changes do not count either
 * @throws UserError if there is no repository any more
 */
export async function hasChanged(
  projectRoot: string,
  { commit, tree }: RecordedCode,
  storagePath: string,
  uncounted: readonly string[],
): Promise<boolean> {
  const state = await inspectTree(projectRoot, [...uncounted, storagePath])
  if (state.head !== commit) return true
  if (tree === null) return state.changes.length > 0
  const own = relative(state.gitRoot, storagePath)
  const places = own.startsWith('..') ? [] : ['--', ':/', `:(exclude,top,literal)${own}`]
  const present = await workingTree(state)
  // The changes are too large to have been recorded.
  if (present === null) return true
  return (await state.git.run('diff-tree', '-r', '--name-only', tree, present, ...places)) !== ''
}

/**
 * True if two commits have the same files, except for `.qanat/` and excluded paths. A commit that is not in this
 * repository equals no other.
 * @param excluded absolute paths of files and folders
 */
export async function isSameCode(
  { git, gitRoot, prefix }: TreeState,
  one: string,
  other: string,
  excluded: readonly string[],
): Promise<boolean> {
  if (one === other) return true
  const paths = [`${prefix}.qanat`, ...excluded.map(path => relative(gitRoot, path))]
  const places = [':(top)', ...paths.map(path => `:(top,exclude,literal)${path}`)]
  try {
    return (await git.run('diff', '--no-ext-diff', '--name-only', one, other, '--', ...places)) === ''
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

/**
 * The diff of a file to a commit; empty if there is none, or if the commit is not in this repository.
 * @param path of the file, absolute or relative to the project
 */
export async function changesSince(projectRoot: string, commit: string, path: string): Promise<string> {
  const git = await openGit(projectRoot)
  try {
    return await git.run('diff', '--no-color', '--no-ext-diff', '--no-textconv', commit, '--', path)
  } catch (error) {
    if (error instanceof GitError) return ''
    throw error
  }
}

/**
 * The diff between the code of two runs, except for `.qanat/`; null if one of the commits is not in this repository.
 * @param projectRoot absolute
 */
export async function diffOfCode(projectRoot: string, one: RecordedCode, other: RecordedCode): Promise<string | null> {
  const git = await openGit(projectRoot)
  const [before, after] = [one.tree ?? one.commit, other.tree ?? other.commit]
  try {
    const options = ['--no-color', '--no-ext-diff', '--no-textconv']
    return await git.run('diff', ...options, before, after, '--', ':(top)', ':(top,exclude,glob)**/.qanat/**')
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}
