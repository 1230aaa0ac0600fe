import { join } from 'node:path'
import { absolutePath, type Workspace } from '../workspace.js'
import { definitionFiles } from './follow-definitions.js'

/** Absolute folders to which documents export files of runs; files in them do not count as changes of the code. */
export function exportFolders(workspace: Workspace): string[] {
  return workspace.store.documents.list().map(({ path }) => join(absolutePath(workspace, path), 'exports'))
}

/** Absolute paths whose changes never make the tree dirty, committed or not: exports, and definitions, which each run records. */
export function uncountedPlaces(workspace: Workspace): string[] {
  const definitions = definitionFiles(workspace.store).map(file => absolutePath(workspace, file))
  return [...exportFolders(workspace), ...definitions]
}
