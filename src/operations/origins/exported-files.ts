import { basename } from 'node:path'
import { compileNoteEnd, readCompileNote } from '../../project/documents/compile-note.js'
import { type ExportOrigin, noteEnd, readNote } from '../../project/documents/export-note.js'
import { listFiles } from '../../system/folders/listing.js'
import { exportFolders } from '../registry/export-folders.js'
import type { Workspace } from '../workspace.js'

interface Exported {
  /** Absolute. */
  readonly path: string
  readonly note: ExportOrigin
}

const limit = { files: 100_000, milliseconds: 5_000 }

/** The files that documents have exported, and a file of the user if it has such a note, too. @param file absolute */
export function exportedFiles(workspace: Workspace, file: string): Exported[] {
  const places = exportFolders(workspace).map(path => ({ path, deep: true }))
  const found = [...listFiles(places, limit).files.keys()].filter(path => path.endsWith(noteEnd))
  const paths = new Set([file, ...found.map(path => path.slice(0, -noteEnd.length))])
  return [...paths].flatMap(path => {
    const note = readNote(path)
    return note === null ? [] : [{ path, note }]
  })
}

/** The notes on the last compilations of documents. */
export function compileNotes(workspace: Workspace): NonNullable<ReturnType<typeof readCompileNote>>[] {
  const places = exportFolders(workspace).map(path => ({ path, deep: false }))
  const notes = [...listFiles(places, limit).files.keys()].filter(path => path.endsWith(compileNoteEnd))
  // A document may have been renamed since, and its note with it.
  return notes.flatMap(path => {
    const note = readCompileNote(path)
    return note ? [{ ...note, document: basename(path, compileNoteEnd) }] : []
  })
}
