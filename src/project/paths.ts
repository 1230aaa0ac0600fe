import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/**
 * The form in which the path of an executable or of data is kept: relative to the project where it lies inside, and
 * so is a relative one that leads outside; an absolute one outside stays. Links inside the project are not followed.
 * `cwd` is where a relative path starts. An empty path stays empty.
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

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
