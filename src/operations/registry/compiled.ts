import { join } from 'node:path'
import type { Document } from '../../domain/document.js'
import { compileNotePath, readCompileNote } from '../../project/documents/compile-note.js'
import { copyFile, exists, isFile, removeFile } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** When a document was compiled, in milliseconds since the epoch, if its exports and all that was written then are there; otherwise null. */
export function compiledBefore(workspace: Workspace, { name, path }: Document): number | null {
  const folder = absolutePath(workspace, path)
  const note = readCompileNote(compileNotePath(folder, name))
  if (note === null || note.edited || !note.last) return null
  const exported = note.exports.map(each => join(folder, each.path))
  const files = [...exported, ...note.made.map(each => absolutePath(workspace, each.path))]
  return files.every(isFile) ? Date.parse(note.compiled) : null
}

/** Keeps the note on a compilation for a document that has another name now. */
export function renameCompilation(workspace: Workspace, former: string, { name, path }: Document): void {
  const folder = absolutePath(workspace, path)
  const note = compileNotePath(folder, former)
  if (!exists(note)) return
  copyFile(note, compileNotePath(folder, name))
  removeFile(note)
}
