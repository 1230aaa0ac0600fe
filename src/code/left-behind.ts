import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GitError, openGit } from './git.js'
import { readChanges } from './tree-state.js'

/** File beside a copy that says that it holds what could not be moved: no other run may use the copy. */
export function keptMark(copy: string): string {
  return `${copy}.kept`
}

/** What scripts have done to a frozen copy. Paths are relative to it. */
export interface CopyState {
  /** Whether they have changed or removed what the commit has. */
  readonly changed: boolean
  /** What they have made: files, and folders in which nothing is of the commit or a link of ours. */
  readonly left: readonly string[]
}

/** How a copy differs from its commit; null where it is no checkout: git would tell of the repository around it. */
export async function copyState(copy: string): Promise<CopyState | null> {
  if (!existsSync(copy)) return null
  const git = await openGit(copy)
  const asked = ['--untracked-files=normal', '--ignored=traditional', '--ignore-submodules=untracked', '--no-renames']
  try {
    if ((await git.run('rev-parse', '--show-toplevel')).trim() !== realpathSync(copy)) return null
    const changes = readChanges(await git.run('status', '--porcelain=v2', '-z', ...asked))
    const isMade = (code: string) => code === '??' || code === '!!' || code.startsWith('A')
    return {
      changed: changes.some(({ code }) => !isMade(code)),
      left: changes.filter(({ code }) => isMade(code)).flatMap(({ path }) => madeIn(copy, path.replace(/\/$/, ''))),
    }
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/** What scripts have left in a copy. Of one that is no checkout any more nobody can tell: all of it counts. */
export async function leftIn(copy: string): Promise<readonly string[]> {
  const state = await copyState(copy)
  if (state) return state.left
  // A launch that died has left this one half-made, and nothing was run in it.
  return basename(copy).startsWith('.') ? [] : readdirSync(copy)
}

/** What of a path is neither a link of ours nor what Python keeps of the code. */
function madeIn(copy: string, path: string): string[] {
  const stats = lstatSync(join(copy, path), { throwIfNoEntry: false })
  if (!stats || basename(path) === '__pycache__') return []
  if (stats.isSymbolicLink()) return isOurs(readlinkSync(join(copy, path)), path) ? [] : [path]
  if (!stats.isDirectory()) return [path]
  const names = readdirSync(join(copy, path))
  const made = names.flatMap(name => madeIn(copy, join(path, name)))
  return made.length === names.length && made.every(each => dirname(each) === path) && made.length > 0 ? [path] : made
}

/** A link to the same path of the project, which may have been moved since. */
function isOurs(target: string, path: string): boolean {
  return target.startsWith('/') && target.endsWith(`/${path}`)
}

/**
 * Moves what scripts have left in a copy to another folder, under the same paths.
 * @param target absolute; it is made, and must not be there
 * @returns what could not be moved, since it lies on another file system
 */
export function moveLeft(copy: string, left: readonly string[], target: string): string[] {
  return left.filter(path => {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    try {
      renameSync(join(copy, path), join(target, path))
      return false
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EXDEV') return true
      throw error
    }
  })
}
