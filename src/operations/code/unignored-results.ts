import { join, relative } from 'node:path'
import { excludeProject } from '../../code/project-repository.js'
import type { TreeChange, TreeState } from '../../code/tree-state.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { resultFolder, storedPath, type Workspace } from '../workspace.js'

/**
 * Refuses to keep files of earlier runs with the code: they may hold secrets, and each run would keep those of all before it.
 * @throws UserError if git does not ignore them
 */
export async function refuseRunFiles(workspace: Workspace, state: TreeState): Promise<void> {
  const { git, gitRoot, changes } = state
  if (!changes.some(isResult(workspace, state))) return
  const results = resultFolder(workspace)
  const places = ['--', `:(top,literal)${relative(gitRoot, results)}`]
  const untracked = await git.run('ls-files', '--others', '--exclude-standard', '--full-name', '-z', ...places)
  const file = untracked.split('\0').find(path => path.includes('/.run/'))
  if (file === undefined) return
  throw new UserError(`git does not ignore the results of runs, such as ${file}`, ignoringLine(workspace))
}

/** Lets git ignore the files of the project on every branch; warns if that cannot be done. */
export async function excludeOwnFiles(workspace: Pick<Workspace, 'project' | 'config' | 'warn'>): Promise<void> {
  const { root } = workspace.project
  try {
    const results = relative(root, resultFolder(workspace))
    await excludeProject(root, /^\.\.(\/|$)/.test(results) ? null : results)
  } catch (error) {
    workspace.warn(`git is not told to ignore the files of the project on other branches: ${(error as Error).message}`)
  }
}

/** Whether a change lies in the result folder, or is that folder. */
export function isResult(workspace: Workspace, { gitRoot }: TreeState): (change: TreeChange) => boolean {
  const results = resultFolder(workspace)
  return ({ path }) => {
    const changed = join(gitRoot, path, '/')
    return changed.startsWith(`${results}/`) || `${results}/`.startsWith(changed)
  }
}

/** The line that makes git ignore the result folder. */
export function ignoringLine(workspace: Workspace): string {
  return `echo ${quoteWord(`/${storedPath(workspace, resultFolder(workspace))}`)} >>.gitignore`
}
