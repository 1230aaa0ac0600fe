import { join } from 'node:path'
import { absolutePath, type Workspace } from '../workspace.js'

/** Where documents get files of runs: what comes there is no change of the code. Absolute. */
export function exportFolders(workspace: Workspace): string[] {
  return workspace.store.documents.list().map(({ path }) => join(absolutePath(workspace, path), 'exports'))
}
