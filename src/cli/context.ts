import type { Patient } from '../operations/project/doctor.js'
import type { Workspace } from '../operations/workspace.js'
import { loadConfig } from '../project/config.js'
import { findProject } from '../project/find-project.js'
import { findRunner, runners } from '../runners/index.js'
import { Store } from '../store/store.js'
import { showWarning } from './explain.js'

/** Wires the project that a folder belongs to. What must be said of its configuration is said at once, on stderr. */
export function openWorkspace(cwd: string): Workspace {
  const project = findProject(cwd)
  const { config, warnings } = loadConfig(project.root)
  for (const warning of warnings) showWarning(warning)
  return { project, config, store: Store.open(project.databaseFile), cwd, findRunner, warn: showWarning }
}

/** The project that a folder belongs to for `doctor`, which opens it only where it can be opened. */
export function patientAt(cwd: string): Patient {
  const project = findProject(cwd)
  return { project, open: () => openWorkspace(project.root), runners }
}
