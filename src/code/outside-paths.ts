import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { realPath } from '../system/files.js'
import type { TreeState } from './tree-state.js'

/** True for a relative path that leads from a project out of its repository. */
export function leadsOutside({ prefix }: Pick<TreeState, 'prefix'>, path: string): boolean {
  return /^\.\.?\//.test(path) && /^\.\.(\/|$)/.test(normalize(join(prefix, path)))
}

/** The place in a frozen copy of an absolute path in the repository; the path itself if the copy has nothing else there. */
export function placeInCopy({ gitRoot }: Pick<TreeState, 'gitRoot'>, copy: string, path: string): string {
  const place = path.startsWith(`${gitRoot}/`) ? join(copy, path.slice(gitRoot.length)) : path
  return place === path || !existsSync(place) || isSame(path, place) ? path : place
}

/**
 * Those paths that lead out of the repository from the project, and to another place or nowhere from its frozen copy.
 * @param copy the project's root in the copy, absolute
 */
export function outsidePaths(state: TreeState, projectRoot: string, copy: string, paths: readonly string[]): string[] {
  return paths.filter(path => {
    const place = join(projectRoot, path)
    return leadsOutside(state, path) && existsSync(place) && !isSame(place, join(copy, path))
  })
}

function isSame(path: string, other: string): boolean {
  return existsSync(other) && realPath(other) === realPath(path)
}
