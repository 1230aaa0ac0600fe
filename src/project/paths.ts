import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/**
 * The form in which the path of an executable or of data is stored: relative to the project if it lies inside or was
 * given as a relative path; an absolute path outside is kept. Links inside the project are not followed.
 * A relative path starts at `cwd`. An empty path stays empty.
 */
export function cleanProjectPath(projectRoot: string, path: string, cwd: string): string {
  if (path === '') return ''
  const written = path.replace(/^~(?=\/|$)/, homedir())
  const absolute = resolve(cwd, written)
  const root = realPath(projectRoot)
  const above = [...ancestors(absolute)].find(folder => realPath(folder) === root)
  if (above !== undefined) return relative(above, absolute) || '.'
  return isAbsolute(written) ? absolute : relative(root, join(realPath(cwd), written))
}

/** The folder itself first, then all above it. */
function* ancestors(folder: string): Generator<string> {
  yield folder
  if (dirname(folder) !== folder) yield* ancestors(dirname(folder))
}

/** The path with all links resolved; unchanged if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** What is at a path on this machine, where links lead; null if nothing is. @param path absolute */
export function whatIsAt(path: string): 'file' | 'folder' | 'something else' | null {
  const stats = existsSync(path) ? statSync(path) : null
  if (stats === null) return null
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'something else'
}
