import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { atomicWrite, copyFile, isFile, removeFile } from '../../system/files.js'
import { listFiles } from '../../system/folders/listing.js'
import { isEdited, sealed } from '../yaml/seal.js'
import { noteEnd } from './export-note.js'

/** What a compilation of a document has written, and what it was made from. It lies with the exports of the document. */
export interface CompileNote {
  readonly document: string
  /** False once a later compilation has begun, until one has succeeded. */
  readonly last: boolean
  /** ISO 8601. */
  readonly compiled: string
  /** The words of the command, which ran in the folder of the document. */
  readonly command: readonly string[]
  /** The commit that was checked out. */
  readonly commit: string
  readonly made: readonly CompiledFile[]
  /** False if there were too many files to look at. */
  readonly complete: boolean
  readonly exports: readonly UsedExport[]
}

/** A file that the compile script has written. */
export interface CompiledFile {
  /** Relative to the project where it lies inside. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Null if it was not read, as for a very large file. */
  readonly digest: string | null
}

/** An exported file that was there for the compile script. */
export interface UsedExport {
  /** Relative to the folder of the document. */
  readonly path: string
  readonly content: string
  readonly run: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
}

/** How many files of exports are looked at. */
const limit = { files: 100_000, milliseconds: 5_000 }

/** What the name of a note has behind that of its document. */
export const compileNoteEnd = `.compiled${noteEnd}`

/** Absolute path of the note on the last compilation of a document. @param folder of the document, absolute */
export function compileNotePath(folder: string, document: string): string {
  return join(folder, 'exports', `${document}${compileNoteEnd}`)
}

/** The paths of the notes in folders of exports. */
export function compileNotePaths(folders: readonly string[]): string[] {
  const places = folders.map(path => ({ path, deep: false }))
  return [...listFiles(places, limit).files.keys()].filter(path => path.endsWith(compileNoteEnd))
}

/** Writes a note. Its last line is a digest of the others, by which edits are noticed. @param path see {@link compileNotePath} */
export function writeCompileNote(
  path: string,
  { document, last, compiled, command, commit, made, complete, exports }: CompileNote,
): void {
  const note = { document, last, compiled, command, commit, made, complete, exports }
  const text = `# Compiled by Qanat; 'qanat whence' reads this.\n${stringify(note, { lineWidth: 0 })}`
  atomicWrite(path, sealed(text, 'seal: '))
}

/** Removes a note, if there is one. */
export function removeCompileNote(path: string): void {
  removeFile(path)
}

/** Reads a note; null if there is none that can be read. @param path see {@link compileNotePath} */
export function readCompileNote(path: string): (CompileNote & { readonly edited: boolean }) | null {
  try {
    const text = readFileSync(path, 'utf8')
    const note = parse(text) as CompileNote
    const isRead =
      [note.made, note.exports, note.command].every(Array.isArray) && !Number.isNaN(Date.parse(note.compiled))
    return isRead ? { ...note, edited: isEdited(text) } : null
  } catch {
    return null
  }
}

/**
 * When a document was compiled, in milliseconds since the epoch, if its exports and all that was written then are there;
 * otherwise null.
 * @param folder of the document, absolute
 */
export function compiledBefore(projectRoot: string, folder: string, document: string): number | null {
  const note = readCompileNote(compileNotePath(folder, document))
  if (note === null || note.edited || !note.last) return null
  const exported = note.exports.map(each => join(folder, each.path))
  const files = [...exported, ...note.made.map(each => resolve(projectRoot, each.path))]
  return files.every(isFile) ? Date.parse(note.compiled) : null
}

/** Keeps the note on a compilation for a document that has another name now. @param folder of the document, absolute */
export function renameCompilation(folder: string, former: string, name: string): void {
  const note = compileNotePath(folder, former)
  if (!isFile(note)) return
  copyFile(note, compileNotePath(folder, name))
  removeFile(note)
}
