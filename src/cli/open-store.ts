import { followDefinitions } from '../operations/registry/follow-definitions.js'
import { hasDatabase, type Project } from '../project/find-project.js'
import { Store } from '../store/store.js'

/** Opens the database of a project with an index of what its definitions say now. A fresh clone gets a database. */
export async function openStore(project: Project, warn: (message: string) => void): Promise<Store> {
  if (!hasDatabase(project)) {
    const { completeClone } = await import('../operations/project/existing-project.js')
    await completeClone(project, warn)
  }
  return openFollowed(project, warn)
}

/** The same for a project that has a database. @throws QanatError if it has none */
export async function openFollowed(project: Project, warn: (message: string) => void): Promise<Store> {
  const store = Store.open(project.databaseFile)
  try {
    await followDefinitions({ project, store, warn })
    return store
  } catch (error) {
    store.close()
    throw error
  }
}
