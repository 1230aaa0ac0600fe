import { existsSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { UserError } from '../errors.js'
import { GitError } from './git.js'
import type { TreeState } from './tree-state.js'
import type { WorkingPatch } from './working-patch.js'

/** The code of a run. */
export interface RunCode {
  readonly state: TreeState
  /** The recorded commit. */
  readonly commit: string
  /** Uncommitted changes; null for a clean tree. */
  readonly patch: WorkingPatch | null
}

/** Name of the folder in the cache for the first frozen copy of some code. */
export function frozenName({ commit, patch }: RunCode): string {
  return commit.slice(0, 12) + (patch ? `-${patch.tree.slice(0, 8)}` : '')
}

/** The first digits of the commit that a copy has by the name of its folder, or of the tree if it has uncommitted changes. */
export function recordedIn(copy: string): string {
  const [, commit = '', tree] = /^([0-9a-f]{12})(?:-([0-9a-f]{8}))?/.exec(basename(copy)) ?? []
  return tree ?? commit
}

/** The commit of a name: an id, a tag or a branch. @throws UserError if there is none */
export async function resolveCommit({ git }: TreeState, name: string): Promise<string> {
  try {
    return (await git.run('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)).trim()
  } catch {
    throw new UserError(`no commit '${name}' in the repository`, 'git log --oneline        shows the commits')
  }
}

/** Whether the repository has a commit. @param id in full */
export async function hasCommit({ git }: TreeState, id: string): Promise<boolean> {
  try {
    await git.run('cat-file', '-e', `${id}^{commit}`)
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

/** True if the code has a path, given relative to the project. */
export async function isInCode(code: RunCode, path: string): Promise<boolean> {
  const { git, prefix, gitRoot, head, committed } = code.state
  const inRepository = join(prefix, path)
  if (committed !== null && code.commit === head && code.patch === null)
    return committed.includes(`\t${inRepository}\0`) || committed.includes(`\t${inRepository}/`)
  const tree = code.patch?.tree ?? code.commit
  const list = (...paths: string[]) => git.run('ls-tree', '--full-tree', '-z', tree, '--', ...paths)
  if ((await list(inRepository)) !== '') return true
  const parents = inRepository.split('/').slice(0, -1)
  const folders = parents.map((_, depth) => parents.slice(0, depth + 1).join('/'))
  if (folders.length === 0) return false
  const entries = await list(...folders)
  return entries.split('\0').some(entry => entry.startsWith('160000 ')) && existsSync(join(gitRoot, inRepository))
}

/** True for a path, given relative to the project, that git ignores and does not track. */
export async function isIgnored({ state }: RunCode, path: string): Promise<boolean> {
  return (await state.git.run('check-ignore', '--', path).catch(() => '')) !== ''
}

/**
 * Paths of data for a script in a frozen copy: files that git tracks are in the copy, all others where they were.
 * @param projectRoot absolute
 * @param copy the project's root in the frozen copy, absolute
 * @param paths absolute
 */
export function pathsInCopy(
  projectRoot: string,
  code: RunCode,
  copy: string,
  paths: readonly string[],
): Promise<string[]> {
  return Promise.all(
    paths.map(async path => {
      if (!path.startsWith(`${projectRoot}/`)) return path
      const inside = relative(projectRoot, path)
      return (await isInCode(code, inside)) ? join(copy, inside) : path
    }),
  )
}
