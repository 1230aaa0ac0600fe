import { openGit } from './git.js'

/** The ref that protects a run's commit from garbage collection. */
export function runReference(token: string): string {
  return `refs/qanat/${token}`
}

/**
 * Deletes the refs of runs, after which git may collect their commits. A missing ref is not an error.
 * @param projectRoot absolute
 */
export async function dropReferences(projectRoot: string, tokens: readonly string[]): Promise<void> {
  const git = openGit(projectRoot)
  for (const token of tokens) await git.run('update-ref', '-d', runReference(token))
}
