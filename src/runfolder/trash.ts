import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuseLink } from '../system/files.js'
import { explainFolder } from './folder-errors.js'
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

/**
 * True for the folder of a run that is reached without links below the result folder (which may be a link itself). Only
 * such folders are moved or deleted.
 */
export function isOwnFolder(results: string, folder: string, token: string): boolean {
  if (!existsSync(results) || lstatSync(folder).isSymbolicLink() || !folder.startsWith(`${results}/`)) return false
  const isReal = realpathSync(folder) === join(realpathSync(results), folder.slice(results.length))
  return isReal && holdsRun(folder, token)
}

/**
 * Moves the folder of a run to the trash, unless it is there already or the folder is not the run's.
 * @param results absolute result folder
 * @param folder of the run, absolute
 * @returns false if it is on another file system than the trash, so that it cannot be renamed
 * @throws OperationError if the trash cannot be written
 */
export function moveToTrash(results: string, { id, token }: TrashedRun, folder: string): boolean {
  if (!existsSync(folder) || !isOwnFolder(results, folder, token)) return true
  try {
    move(folder, placeInTrash(results, id))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
    throw error
  }
}

/**
 * Moves the folder of a run out of the trash, if it is there; what else may be in its place stays.
 * @returns false if something else is in its place
 * @throws UserError if the trash is a link
 */
export function takeFromTrash(results: string, { id, token }: TrashedRun, folder: string): boolean {
  const trashed = placeInTrash(results, id)
  refuseLink(trashFolder(results))
  if (!existsSync(trashed) || !isOwnFolder(results, trashed, token)) return true
  if (existsSync(folder)) return false
  move(trashed, folder)
  return true
}

/** Deletes the files of a run in the trash for good. */
export function discard(results: string, { id, token }: TrashedRun): void {
  const folder = placeInTrash(results, id)
  if (existsSync(folder) && isOwnFolder(results, folder, token)) rmSync(folder, { recursive: true, force: true })
}

/** Removes the trash if it is empty; a link in its place is left alone. */
export function removeEmptyTrash(results: string): void {
  const folder = trashFolder(results)
  const isThere = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere && readdirSync(folder).length === 0) rmdirSync(folder)
}

function move(from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  } catch (error) {
    throw explainFolder(error, from)
  }
}
