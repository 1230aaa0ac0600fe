import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { storedPath, type Workspace } from './workspace.js'

/** The folder that `--storage_path` names, absolute. @throws UserError for one that cannot be a new run's */
export function readStoragePath(workspace: Workspace, text: string): string {
  const path = resolve(workspace.cwd, text)
  const hint = 'name a folder that does not exist yet, or an empty one'
  const stored = storedPath(workspace, path)
  if (path === workspace.project.root || /^\.(qanat|git)(\/|$)/.test(stored)) {
    throw new UserError(`--storage_path ${path} is the project's own`, hint)
  }
  const existing = nearestExisting(path)
  if (!statSync(existing).isDirectory())
    throw new UserError(`--storage_path ${path}: ${existing} is not a folder`, hint)
  if (existing === path && readdirSync(path).length > 0) {
    throw new UserError(`--storage_path ${path} is not empty`, hint)
  }
  return path
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}
