import { UserError } from '../../errors.js'
import { loadConfig } from '../../project/config.js'
import { hasDatabase, type Project, projectOf } from '../../project/find-project.js'
import { isOlderProject } from '../../project/new-project.js'
import { refuseOthersFolder } from '../../project/result-folder.js'
import { Store } from '../../store/store.js'
import { excludeOwnFiles } from '../code/unignored-results.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { adoptProject, initClone, type NewProject } from './init-project.js'
import { runFolders } from './rebuild-runs.js'

/** A project that `init` has found. */
export interface ExistingProject {
  readonly root: string
  /** What was added to a project of the older program; null for any other. */
  readonly adopted: NewProject | null
  /** Null for a complete project. */
  readonly completed: Completed | null
}

/** What was added to a fresh clone. */
interface Completed {
  /** How many things of each kind are registered. */
  readonly registered: Readonly<Record<string, number>>
  /** Whether there are folders of runs from a former database. */
  readonly hasRuns: boolean
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
  open: (root: string) => Promise<Workspace>,
): Promise<ExistingProject | null> {
  const project = projectOf(folder)
  if (!project) return null
  if (hasDatabase(project)) {
    Store.open(project.databaseFile).close()
    return { root: project.root, adopted: null, completed: null }
  }
  const adopted = isOlderProject(project.root) ? await adoptProject(project.root, template) : null
  if (!adopted) initClone(project.root)
  const workspace = await open(project.root)
  try {
    await excludeOwnFiles(workspace)
    const { datasets, experiments, documents } = workspace.store
    const counted = { dataset: datasets, experiment: experiments, document: documents }
    const registered = Object.fromEntries(Object.entries(counted).map(([kind, table]) => [kind, table.names().length]))
    return { root: project.root, adopted, completed: { registered, hasRuns: hasRuns(workspace) } }
  } finally {
    workspace.store.close()
  }
}

/** Makes the database of a fresh clone, whose first command this is. A project of the older program is left to `qanat init`. */
export async function completeClone(project: Project, warn: (message: string) => void): Promise<void> {
  if (isOlderProject(project.root)) return
  const clone = { project, warn, config: loadConfig(project).config }
  initClone(project.root)
  await excludeOwnFiles(clone)
  if (hasRuns(clone)) warn(`there was no database, and there are folders of runs: 'qanat doctor --repair' adds them`)
}

/** Whether the result folder has runs that can be added to the database; false if it cannot be used here. */
function hasRuns(workspace: Pick<Workspace, 'project' | 'config' | 'warn'>): boolean {
  try {
    refuseOthersFolder(workspace.project.root, resultFolder(workspace))
    return runFolders(workspace).some(({ recorded }) => recorded !== null)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    workspace.warn(error.message)
    return false
  }
}
