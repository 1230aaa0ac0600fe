import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { storedPath, type Workspace } from '../workspace.js'

/** The folder that `--storage_path` names, absolute. @throws UserError for one that cannot be a new run's */
export function readStoragePath(workspace: Workspace, text: string): string {
  const path = resolve(workspace.cwd, text)
  const hint = 'name a folder that does not exist yet, or an empty one'
  const existing = nearestExisting(path)
  const real = join(realpathSync(existing), path.slice(existing.length))
  if (isOwn(workspace, path) || isOwn(workspace, real)) {
    throw new UserError(`--storage_path ${path} is the project's own`, hint)
  }
  if (!statSync(existing).isDirectory())
    throw new UserError(`--storage_path ${path}: ${existing} is not a folder`, hint)
  if (existing === path && readdirSync(path).length > 0) {
    throw new UserError(`--storage_path ${path} is not empty`, hint)
  }
  return path
}

function isOwn(workspace: Workspace, path: string): boolean {
  return path === workspace.project.root || /^\.(qanat|git)(\/|$)/.test(storedPath(workspace, path))
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}
