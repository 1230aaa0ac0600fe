import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
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
}

const maximalPatchSize = 50 * 1024 * 1024

/**
 * Takes the changes of a tree without touching its index.
 * @throws UserError for more than 50 MB of them
 */
export async function takeWorkingPatch(state: TreeState): Promise<WorkingPatch> {
  const tree = await workingTree(state)
  const identity = ['-c', 'user.name=qanat', '-c', 'user.email=qanat@localhost', '-c', 'commit.gpgSign=false']
  const message = `Changes that were not committed on ${state.head}`
  const commit = await state.git.run(...identity, 'commit-tree', tree, '-p', state.head, '-m', message)
  const patch = { commit: commit.trim(), tree }
  await inTemporaryFolder(async folder => {
    const file = join(folder, 'patch')
    await writePatch(state, patch, file)
    if (statSync(file).size > maximalPatchSize) {
      throw new UserError(
        'the changes that are not committed come to more than 50 MB',
        'commit them, or ignore large files',
      )
    }
  })
  return patch
}

/** Writes the patch itself, with binary and untracked files. Git writes it: texts need not be UTF-8. */
export async function writePatch({ git, head }: TreeState, { tree }: WorkingPatch, file: string): Promise<void> {
  await git.run('diff-tree', '-r', '-p', '--binary', '--full-index', `--output=${file}`, head, tree)
}

/** Id of the tree object that holds the working tree as it is; what git ignores is not in it. */
export async function workingTree({ git, gitRoot, prefix }: TreeState): Promise<string> {
  return inTemporaryFolder(async folder => {
    const index = join(folder, 'index')
    const own = resolve(gitRoot, prefix, (await git.run('rev-parse', '--git-path', 'index')).trim())
    if (existsSync(own)) copyFileSync(own, index)
    await git.runWithIndex(index, 'add', '--all', '--', ':/', `:(exclude,top)${prefix}.qanat`)
    return (await git.runWithIndex(index, 'write-tree')).trim()
  })
}

async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'qanat-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
