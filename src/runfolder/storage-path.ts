import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { nearestExisting } from '../system/files.js'
import { trashFolder } from './trash.js'

/**
 * Checks `--storage_path`, and makes it absolute; inside the result folder, it has no links below that.
 * @param projectRoot absolute
 * @param results absolute result folder; it need not exist
 * @param cwd where a relative path starts
 * @throws UserError for a folder that cannot be used for a new run
 */
export function readStoragePath(projectRoot: string, results: string, cwd: string, text: string): string {
  const path = resolve(cwd, text)
  const hint = 'name a folder that does not exist yet, or an empty one'
  const real = withoutLinks(path)
  if (isOwn(projectRoot, path) || isOwn(projectRoot, real)) {
    throw new UserError(`--storage_path ${path} is used by the project itself`, hint)
  }
  const realResults = withoutLinks(results)
  if (isInside(realResults, real) || isInside(real, withoutLinks(trashFolder(results)))) {
    throw new UserError(
      `--storage_path ${path} is used for the results of all runs`,
      `name a folder inside it: --storage_path ${join(results, 'NAME')}`,
    )
  }
  const existing = nearestExisting(path)
  if (!statSync(existing).isDirectory())
    throw new UserError(`--storage_path ${path}: ${existing} is not a folder`, hint)
  if (existing === path && readdirSync(path).length > 0) {
    throw new UserError(`--storage_path ${path} is not empty`, hint)
  }
  return isInside(real, realResults) ? join(results, relative(realResults, real)) : path
}

/** A path with all links resolved, as far as it exists. @param path absolute */
export function withoutLinks(path: string): string {
  const existing = nearestExisting(path)
  return join(realpathSync(existing), path.slice(existing.length))
}

/** True for a folder itself, too. Both paths are absolute. */
export function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`)
}

function isOwn(projectRoot: string, path: string): boolean {
  return path === projectRoot || /^\.(qanat|git)(\/|$)/.test(relative(projectRoot, path))
}
