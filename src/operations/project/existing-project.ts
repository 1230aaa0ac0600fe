import { UserError } from '../../errors.js'
import { hasDatabase, projectOf } from '../../project/find-project.js'
import { refuseOthersFolder } from '../../project/result-folder.js'
import { registerDefinitions } from '../registry/definitions.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { initClone } from './init-project.js'
import { runFolders } from './rebuild-runs.js'

/** A project that `init` has found. */
export interface ExistingProject {
  readonly root: string
  /** What was added to a fresh clone; null for a complete project. */
  readonly completed: {
    /** How many of each kind were registered from `.qanat/definitions`. */
    readonly registered: Readonly<Record<string, number>>
    /** Whether there are folders of runs from a former database. */
    readonly hasRuns: boolean
  } | null
}

/**
 * The project that a folder already belongs to; null if there is none. A clone lacks its database, and gets one.
 * @param open opens the project with that root
 */
export function takeUpProject(folder: string, open: (root: string) => Workspace): ExistingProject | null {
  const project = projectOf(folder)
  if (!project) return null
  if (hasDatabase(project)) return { root: project.root, completed: null }
  initClone(project.root)
  const workspace = open(project.root)
  try {
    const registered = registerDefinitions(workspace)
    return { root: project.root, completed: { registered, hasRuns: hasRuns(workspace) } }
  } finally {
    workspace.store.close()
  }
}

/** Whether the result folder has runs that can be added to the database; false if it cannot be used here. */
function hasRuns(workspace: Workspace): boolean {
  try {
    refuseOthersFolder(workspace.project.root, resultFolder(workspace))
    return runFolders(workspace).some(({ recorded }) => recorded !== null)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    workspace.warn(error.message)
    return false
  }
}
