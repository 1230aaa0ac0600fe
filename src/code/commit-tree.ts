import { join } from 'node:path'
import { UserError } from '../errors.js'
import { type Git, GitError } from './git.js'
import { withIndexCopy } from './index-copy.js'
import type { TreeChange, TreeState } from './tree-state.js'

/**
 * Commits everything that git does not ignore. If a hook refuses the commit, the user's staged changes stay staged.
 * @throws UserError without a git identity
 */
export async function commitEverything({ git, gitRoot, prefix }: TreeState, message: string): Promise<void> {
  await checkIdentity(git)
  await withIndexCopy(git, join(gitRoot, prefix), async index => {
    await git.runWithIndex(index, 'add', '--all', '--', gitRoot)
    await git.runWithIndex(index, 'commit', '--quiet', '--message', message)
  })
  await git.run('add', '--all', '--', gitRoot)
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
export function describeChanges(changes: readonly TreeChange[]): string {
  const shown = changes.slice(0, 20).map(({ code, path }) => `  ${code} ${path}`)
  const more = changes.length - shown.length
  return [...shown, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}
