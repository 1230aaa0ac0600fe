import { isAbsolute, join, relative, resolve } from 'node:path'
import type { Config } from '../project/config.js'
import type { Project } from '../project/find-project.js'
import type { Runner } from '../runners/types.js'
import type { Site } from '../sites/site.js'
import type { Store } from '../store/store.js'

/** What an operation works on: one project, opened. */
export interface Workspace {
  readonly project: Project
  readonly store: Store
  readonly config: Config
  /** Where the user stands: relative paths that were typed start here. */
  readonly cwd: string
  /** Where runs live. */
  readonly site: Site
  /** The runner of that name, always the same one. @throws UserError that lists those there are */
  findRunner(name: string): Runner
  /** Something the user should know that stops nothing. */
  warn(message: string): void
}

/** Absolute path of something that the project stores relative to its root where it lies inside. */
export function absolutePath(workspace: Workspace, path: string): string {
  return resolve(workspace.project.root, path)
}

/** The form in which a path is stored: relative to the project where it lies inside, so that it can be moved. */
export function storedPath(workspace: Workspace, path: string): string {
  const inside = relative(workspace.project.root, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

/** Absolute folder that holds the results of all experiments. */
export function resultFolder(workspace: Workspace): string {
  return join(workspace.project.root, workspace.config.resultDir)
}
