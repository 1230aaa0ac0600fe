import { basename } from 'node:path'
import { compileNoteEnd, compileNotePaths, readCompileNote } from '../../project/documents/compile-note.js'
import { type ExportOrigin, notedFiles, readNote } from '../../project/documents/export-note.js'
import { exportFolders } from '../registry/export-folders.js'
import type { Workspace } from '../workspace.js'

interface Exported {
  /** Absolute. */
  readonly path: string
  readonly note: ExportOrigin
}

const limit = { files: 100_000, milliseconds: 5_000 }

/**
 * The files that documents have exported.
 * @param more absolute paths of files that count too if they have such a note
 */
export function exportedFiles(workspace: Workspace, more: readonly string[] = []): Exported[] {
  const paths = new Set([...more, ...notedFiles(exportFolders(workspace), limit)])
  return [...paths].flatMap(path => {
    const note = readNote(path)
    return note === null ? [] : [{ path, note }]
  })
}

/** The notes on the last compilations of documents. */
export function compileNotes(workspace: Workspace): NonNullable<ReturnType<typeof readCompileNote>>[] {
  // A document may have been renamed since, and its note with it.
  return compileNotePaths(exportFolders(workspace)).flatMap(path => {
    const note = readCompileNote(path)
    return note ? [{ ...note, document: basename(path, compileNoteEnd) }] : []
  })
}
