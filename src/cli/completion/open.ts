import { followDefinitions } from '../../operations/registry/follow-definitions.js'
import { findProject } from '../../project/find-project.js'
import { Store } from '../../store/store.js'

/** The database of the current project, which is not written: what has changed in definitions is known to this process alone. */
export async function openForLookUp(): Promise<Store | null> {
  try {
    const project = findProject(process.cwd(), [])
    const store = Store.openForReading(project.databaseFile)
    await followDefinitions({ project, store, warn: () => {} })
    return store
  } catch {
    return null
  }
}
