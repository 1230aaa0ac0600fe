import { UserError } from '../../errors.js'
import { hasDatabase, projectOf } from '../../project/find-project.js'
import { isOlderProject } from '../../project/new-project.js'
import { refuseOthersFolder } from '../../project/result-folder.js'
import { Store } from '../../store/store.js'
import { excludeOwnFiles } from '../code/unignored-results.js'
import { registerDefinitions } from '../registry/definitions.js'
import { findOwnFiles } from '../registry/own-files.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { adoptProject, initClone, type NewProject } from './init-project.js'
import { runFolders } from './rebuild-runs.js'

/** A project that `init` has found. */
export interface ExistingProject {
  readonly root: string
  /** What was added to a project of the older program; null for any other. */
  readonly adopted: NewProject | null
  /** What was added to a fresh clone; null for a complete project. */
  readonly completed: {
    /** How many of each kind were registered from `.qanat/definitions`. */
    readonly registered: Readonly<Record<string, number>>
    /** Whether there are folders of runs from a former database. */
    readonly hasRuns: boolean
  } | null
}

/**
 * The project that a folder already belongs to; null if there is none. A clone lacks its database, and gets one; a project
 * of the older program, whose database was moved away, becomes one of ours.
 * @param template folder of the template
 * @param open opens the project with that root
 * @throws OperationError if the database is not one of ours
 */
export async function takeUpProject(
  folder: string,
  template: string,
  open: (root: string) => Workspace,
): Promise<ExistingProject | null> {
  const project = projectOf(folder)
  if (!project) return null
  if (hasDatabase(project)) {
    Store.open(project.databaseFile).close()
    return { root: project.root, adopted: null, completed: null }
  }
  const adopted = isOlderProject(project.root) ? await adoptProject(project.root, template) : null
  if (!adopted) initClone(project.root)
  const workspace = open(project.root)
  try {
    await excludeOwnFiles(workspace)
    const registered = registerDefinitions(workspace)
    await findOwnFiles(workspace)
    return { root: project.root, adopted, completed: { registered, hasRuns: hasRuns(workspace) } }
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
