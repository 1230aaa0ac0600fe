import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import type { TreeState } from './tree-state.js'

/** The working tree as it is, with what is not committed, as git objects that no branch knows. */
export interface WorkingPatch {
  /** A commit whose parent is the one that is checked out. */
  readonly commit: string
  /** Id of its content: the same for the same changes. */
  readonly tree: string
  /** From the parent to it, with binary and untracked files. */
  readonly patch: string
}

const maximalPatchSize = 50 * 1024 * 1024

/**
 * Takes the changes of a tree without touching its index.
 * @throws UserError for more than 50 MB of them
 */
export async function takeWorkingPatch(state: TreeState): Promise<WorkingPatch> {
  const tree = await workingTree(state)
  const patch = await state.git.run('diff', '--binary', '--no-ext-diff', '--no-color', state.head, tree)
  if (Buffer.byteLength(patch) > maximalPatchSize) {
    throw new UserError(
      'the changes that are not committed come to more than 50 MB',
      'commit them, or ignore large files',
    )
  }
  const identity = ['-c', 'user.name=qanat', '-c', 'user.email=qanat@localhost', '-c', 'commit.gpgSign=false']
  const message = `Changes that were not committed on ${state.head}`
  const commit = await state.git.run(...identity, 'commit-tree', tree, '-p', state.head, '-m', message)
  return { commit: commit.trim(), tree, patch }
}

/** Id of the tree object that holds the working tree as it is; what git ignores is not in it. */
export async function workingTree({ git, gitRoot, prefix }: TreeState): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'qanat-index-'))
  const index = join(folder, 'index')
  try {
    const own = resolve(gitRoot, prefix, (await git.run('rev-parse', '--git-path', 'index')).trim())
    if (existsSync(own)) copyFileSync(own, index)
    await git.runWithIndex(index, 'add', '--all', '--', ':/', `:(exclude,top)${prefix}.qanat`)
    return (await git.runWithIndex(index, 'write-tree')).trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
