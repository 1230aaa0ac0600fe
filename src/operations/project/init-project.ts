import { dirname, join } from 'node:path'
import { checkIdentity } from '../../code/commit-tree.js'
import { openGit } from '../../code/git.js'
import { commitProject, provideRepository } from '../../code/project-repository.js'
import { projectAt } from '../../project/find-project.js'
import { checkNewProject, makeProjectFolder, type ProjectSettings, writeSettings } from '../../project/new-project.js'
import { outdatedSchemas } from '../../project/yaml/schemas.js'
import { Store } from '../../store/store.js'
import { refuseLink, writeFiles } from '../../system/files.js'

/**
 * Makes `.qanat` in a folder from the template, and a git repository if there is none, and commits only these files.
 * @param template folder of the template
 * @returns the abbreviated id of the commit
 * @throws UserError if git has no identity; then nothing was made
 */
export async function initProject(folder: string, template: string, settings: ProjectSettings): Promise<string> {
  const existing = checkNewProject(folder)
  refuseLink(join(folder, '.gitignore'))
  await checkIdentity(await openGit(existing))
  const removeFolder = makeProjectFolder(folder)
  let removeRepository = () => {}
  try {
    removeRepository = await provideRepository(folder)
    const files = writeSettings(folder, template, settings)
    Store.open(projectAt(folder, []).databaseFile, true).close()
    files.push(...writeFiles(folder, outdatedSchemas(folder)))
    return await commitProject(folder, settings.resultDir, files)
  } catch (error) {
    removeRepository()
    removeFolder()
    throw error
  }
}

/** Makes the database of a project that was cloned: everything else came with the clone. */
export function initClone(folder: string): void {
  const { databaseFile } = projectAt(folder, [])
  refuseLink(dirname(databaseFile))
  refuseLink(databaseFile)
  Store.open(databaseFile, true).close()
}
