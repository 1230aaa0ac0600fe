import { join } from 'node:path'
import { UserError } from '../errors.js'
import { type Git, GitError } from './git.js'
import { addTree, withIndexCopy } from './index-copy.js'
import type { TreeChange, TreeState } from './tree-state.js'

/**
 * Commits everything that git does not ignore. If a hook refuses the commit, the user's staged changes stay staged.
 * @returns what it has committed; nothing if everything is as in the last commit
 * @throws UserError without a git identity
 */
export async function commitEverything(
  state: TreeState,
  message: string,
): Promise<Pick<TreeChange, 'code' | 'path'>[]> {
  const { git, gitRoot, prefix, head } = state
  await checkIdentity(git)
  await withIndexCopy(git, join(gitRoot, prefix), async index => {
    const run = (...args: string[]) => git.runWithIndex(index, ...args)
    await addTree(state.submodules, run)
    // `git status` does not tell: it also shows staged changes that were undone in the tree.
    if ((await run('diff', '--cached', '--name-only', '--no-relative', '--ignore-submodules=none', 'HEAD')) === '')
      return
    await run('commit', '--quiet', '--message', message)
  })
  await addTree(state.submodules, git.run)
  const committed = await git.run('diff', '--name-status', '--no-relative', '--no-renames', '-z', head, 'HEAD')
  return [...committed.matchAll(/([A-Z])\0([^\0]+)\0/g)].map(([, code, path]) => ({ code: code!, path: path! }))
}

/** @throws UserError with the two commands that give git a name and an address */
export async function checkIdentity(git: Git): Promise<void> {
  try {
    await git.run('var', 'GIT_AUTHOR_IDENT')
    await git.run('var', 'GIT_COMMITTER_IDENT')
  } catch (error) {
    if (!(error instanceof GitError && /identity|ident name|tell me who|empty ident/i.test(error.message))) throw error
    throw new UserError(
      'git does not know your name and address, which every commit contains',
      'git config --global user.name "Your Name"\ngit config --global user.email you@example.org',
    )
  }
}

/** The changes of a dirty tree, one a line as `git status --short` shows them, long lists cut. */
export function describeChanges(changes: readonly Pick<TreeChange, 'code' | 'path'>[]): string {
  const shown = changes.slice(0, 20).map(({ code, path }) => `  ${code} ${path}`)
  const more = changes.length - shown.length
  return [...shown, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}
