import { openGit } from './git.js'

/** The ref that keeps a run's commit from being collected. */
export function runReference(token: string): string {
  return `refs/qanat/${token}`
}

/**
 * Deletes the refs of runs, after which git may collect their commits. A ref that is not there is no error.
 * @param projectRoot absolute
 */
export async function dropReferences(projectRoot: string, tokens: readonly string[]): Promise<void> {
  const git = await openGit(projectRoot)
  for (const token of tokens) await git.run('update-ref', '-d', runReference(token))
}
