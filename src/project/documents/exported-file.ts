import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOfFile } from '../../system/digest.js'
import { setExtendedAttribute } from '../../system/extended-attribute.js'
import { atomicWrite, copyFile, isCopy, isFile, makeFolder, removeFile } from '../../system/files.js'
import { putEditedAside } from '../put-aside.js'
import { type ExportNote, notePath, noteText, patchPath, readNote } from './export-note.js'

/** Where a file is exported to, and where it comes from: absolute paths. */
export interface Export {
  readonly target: string
  /** Null for a file that is made of the run, or of a run that is still to be launched. */
  readonly source: string | null
}

/** Whether something is in the place of an export that Qanat has not put there. An interrupted compilation may have copied a file without its note. */
export function isForeign(wanted: Export): boolean {
  return existsSync(wanted.target) && !existsSync(notePath(wanted.target)) && !isUpToDate(wanted)
}

/** Whether an exported file is as its source is. */
export function isUpToDate({ target, source }: Export): boolean {
  return source !== null && isFile(source) && isFile(target) && isCopy(source, target)
}

/** Gives an export that somebody has edited another name. @returns that, absolute; null if it was not edited */
export async function putEditedExportAside(wanted: Export): Promise<string | null> {
  const { target } = wanted
  const exported = readNote(target)?.content ?? null
  if (!isFile(target) || exported === null || isUpToDate(wanted)) return null
  const content = await digestOfFile(target)
  return content === exported ? null : putEditedAside(target, content)
}

/** The digest of an exported file; null if it is gone. */
export async function contentOfExport(target: string): Promise<string | null> {
  return existsSync(target) ? digestOfFile(target) : null
}

/** Copies a file of a run; makes only the folder for a file that is made of the run. */
export function exportFile({ target, source }: Export): void {
  if (source === null) makeFolder(dirname(target))
  else copyFile(source, target)
}

/**
 * Writes the note on an exported file.
 * @param patch the uncommitted changes of the script that was called for it; null without any
 * @param summary of the note, for an extended attribute of the file
 * @returns whether the file has that attribute
 */
export async function writeNote(
  target: string,
  note: ExportNote,
  patch: Uint8Array | null,
  summary: string,
): Promise<boolean> {
  if (patch) atomicWrite(patchPath(target), patch)
  else removeFile(patchPath(target))
  atomicWrite(notePath(target), noteText(note))
  return setExtendedAttribute(target, 'user.qanat.metadata', summary)
}
