import { relative } from 'node:path'
import { checkIdentity } from '../../code/commit-tree.js'
import { openGit } from '../../code/git.js'
import { commitProject, provideRepository, refuseTracked } from '../../code/project-repository.js'
import { loadConfig } from '../../project/config.js'
import { projectAt } from '../../project/find-project.js'
import {
  checkNewProject,
  makeProjectFolder,
  type ProjectSettings,
  refuseIgnoreLink,
  writeIgnoreFile,
  writeSettings,
} from '../../project/new-project.js'
import { refuseOthersFolder, resultFolderAt } from '../../project/result-folder.js'
import { renewSchemas } from '../../project/yaml/schemas.js'
import { Store } from '../../store/store.js'

/** A project that was made. */
export interface NewProject {
  /** Abbreviated id of its first commit. */
  readonly commit: string
  /** The folder for results, relative to the project if it is inside, otherwise absolute. */
  readonly results: string
  readonly isInside: boolean
}

/**
 * Makes `.qanat` in a folder from the template, and a git repository if there is none, and commits only these files.
 * @param template folder of the template
 * @throws UserError if git has no identity, or the result folder cannot be used; then nothing was made
 */
export async function initProject(folder: string, template: string, settings: ProjectSettings): Promise<NewProject> {
  const existing = checkNewProject(folder)
  const results = chosenResults(folder, settings.resultDir)
  refuseIgnoreLink(folder)
  await refuseTracked(existing, folder)
  await checkIdentity(openGit(existing))
  const removeFolder = makeProjectFolder(folder)
  let removeRepository = () => {}
  try {
    removeRepository = await provideRepository(folder)
    const resultDir = results.inside ?? settings.resultDir
    const files = writeSettings(folder, template, { ...settings, resultDir })
    Store.open(projectAt(folder, []).databaseFile, true).close()
    renewSchemas(folder)
    const commit = await commitProject(folder, results.inside, files)
    return { commit, results: results.inside ?? results.folder, isInside: results.inside !== null }
  } catch (error) {
    removeRepository()
    removeFolder()
    throw error
  }
}

/**
 * The result folder that the user chose, and its path relative to the project; null if it is outside.
 * @throws UserError if it cannot be used
 */
export function chosenResults(root: string, text: string): { folder: string; inside: string | null } {
  const folder = resultFolderAt(root, text)
  refuseOthersFolder(root, folder)
  const inside = relative(root, folder)
  return { folder, inside: /^\.\.(\/|$)/.test(inside) ? null : inside }
}

/**
 * Makes a project of the older program one of ours: with a database, and in git what every project has there, the settings
 * included, which the older one hides from git.
 * @param template folder of the template
 */
export async function adoptProject(folder: string, template: string): Promise<NewProject> {
  refuseIgnoreLink(folder)
  const results = chosenResults(folder, loadConfig(projectAt(folder, [])).config.resultDir)
  await checkIdentity(openGit(folder))
  await provideRepository(folder)
  const removeIgnoreFile = writeIgnoreFile(folder, template)
  try {
    const commit = await commitProject(folder, results.inside, ['.qanat/.gitignore', '.qanat/config.yaml'])
    initClone(folder)
    return { commit, results: results.inside ?? results.folder, isInside: results.inside !== null }
  } catch (error) {
    removeIgnoreFile()
    throw error
  }
}

/** Makes the database of a project that was cloned: everything else came with the clone. */
export function initClone(folder: string): void {
  const { databaseFile } = projectAt(folder, [])
  Store.open(databaseFile, true).close()
  renewSchemas(folder)
}
