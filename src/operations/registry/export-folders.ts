import { join } from 'node:path'
import { absolutePath, type Workspace } from '../workspace.js'

/** Absolute folders to which documents export files of runs; files in them do not count as changes of the code. */
export function exportFolders(workspace: Workspace): string[] {
  return workspace.store.documents.list().map(({ path }) => join(absolutePath(workspace, path), 'exports'))
}
