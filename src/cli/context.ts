import type { Workspace } from '../operations/workspace.js'
import { loadConfig } from '../project/config.js'
import { findProject } from '../project/find-project.js'
import { findRunner } from '../runners/index.js'
import { Store } from '../store/store.js'
import { warningText } from '../views/error.js'

/** Wires the project that a folder belongs to. What must be said of its configuration is said at once, on stderr. */
export function openWorkspace(cwd: string): Workspace {
  const project = findProject(cwd)
  const { config, warnings } = loadConfig(project.root)
  const warn = (message: string) => process.stderr.write(warningText(message))
  for (const warning of warnings) warn(warning)
  return { project, config, store: Store.open(project.databaseFile), cwd, findRunner, warn }
}
