import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { UserError } from '../errors.js'

/**
 * Checks `--storage_path`, and makes it absolute.
 * @param projectRoot absolute
 * @param cwd where a relative path starts
 * @throws UserError for a folder that cannot be used for a new run
 */
export function readStoragePath(projectRoot: string, cwd: string, text: string): string {
  const path = resolve(cwd, text)
  const hint = 'name a folder that does not exist yet, or an empty one'
  const existing = nearestExisting(path)
  const real = join(realpathSync(existing), path.slice(existing.length))
  if (isOwn(projectRoot, path) || isOwn(projectRoot, real)) {
    throw new UserError(`--storage_path ${path} is used by the project itself`, hint)
  }
  if (!statSync(existing).isDirectory())
    throw new UserError(`--storage_path ${path}: ${existing} is not a folder`, hint)
  if (existing === path && readdirSync(path).length > 0) {
    throw new UserError(`--storage_path ${path} is not empty`, hint)
  }
  return path
}

function isOwn(projectRoot: string, path: string): boolean {
  return path === projectRoot || /^\.(qanat|git)(\/|$)/.test(relative(projectRoot, path))
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}
