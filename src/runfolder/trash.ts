import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { refuseLink } from '../system/files.js'
import { folderSize } from '../system/folder-size.js'
import type { Change } from '../system/folders/changes.js'
import { holdsRun } from './record.js'

/** What identifies the folder of a run. */
export interface TrashedRun {
  readonly id: number
  readonly token: string
}

/** The absolute folder of the trash: inside the result folder, so that a rename moves runs there. */
export function trashFolder(results: string): string {
  return join(results, '.trash')
}

/** The absolute folder of a deleted run in the trash. */
export function placeInTrash(results: string, id: number): string {
  return join(trashFolder(results), `run_${id}`)
}

/** The same if it is there; null if it is not: the run may be on another file system than the trash. */
export function trashedFolder(results: string, id: number): string | null {
  const folder = placeInTrash(results, id)
  return existsSync(folder) ? folder : null
}

/** The size of a deleted run in the trash, in bytes. */
export function trashedSize(results: string, id: number): number {
  return folderSize(placeInTrash(results, id))
}

/** @throws UserError if a link is in the place of the trash */
export function refuseTrashLink(results: string): void {
  refuseLink(trashFolder(results))
}

/** Whether something that a run has not made itself is in the place of its folder, see {@link isOwnFolder}. */
export function isForeignFolder(results: string, folder: string, token: string): boolean {
  return existsSync(folder) && !isOwnFolder(results, folder, token)
}

/**
 * True for the folder of a run that is reached without links below the result folder (which may be a link itself). Only
 * such folders are moved or deleted.
 */
function isOwnFolder(results: string, folder: string, token: string): boolean {
  if (!existsSync(results) || lstatSync(folder).isSymbolicLink() || !folder.startsWith(`${results}/`)) return false
  const isReal = realpathSync(folder) === join(realpathSync(results), folder.slice(results.length))
  return isReal && holdsRun(folder, token)
}

/**
 * What moves the folder of a run to the trash, in the result folder; nothing if it is there already, or if the folder is not
 * the run's.
 * @param results absolute result folder
 * @param folder of the run, absolute
 */
export function movesToTrash(results: string, { id, token }: TrashedRun, folder: string): Change[] {
  if (!existsSync(folder) || !isOwnFolder(results, folder, token)) return []
  return [{ move: relative(results, folder), to: relative(results, placeInTrash(results, id)) }]
}

/**
 * What moves the folder of a run out of the trash, if it is there.
 * @returns null if something else is in its place, which stays
 * @throws UserError if the trash is a link
 */
export function movesFromTrash(results: string, { id, token }: TrashedRun, folder: string): Change[] | null {
  const trashed = placeInTrash(results, id)
  refuseTrashLink(results)
  if (!existsSync(trashed) || !isOwnFolder(results, trashed, token)) return []
  return existsSync(folder) ? null : [{ move: relative(results, trashed), to: relative(results, folder) }]
}

/** What deletes the files of a run in the trash for good. */
export function removalFromTrash(results: string, { id, token }: TrashedRun): Change[] {
  const folder = placeInTrash(results, id)
  return existsSync(folder) && isOwnFolder(results, folder, token) ? [{ remove: relative(results, folder) }] : []
}

/** Removes the trash if it is empty; a link in its place is left alone. */
export function removeEmptyTrash(results: string): void {
  const folder = trashFolder(results)
  const isThere = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere && readdirSync(folder).length === 0) rmdirSync(folder)
}
