import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOver } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import { UserError } from '../errors.js'
import { faultPoint } from '../system/fault-point.js'
import { cancelRun } from './cancel-run.js'
import { refreshRun } from './refresh-runs.js'
import { explainFolder } from './run-record.js'
import { absolutePath, resultFolder, type Workspace } from './workspace.js'

/** Where deleted runs are until the cache is cleaned: in the result folder, so that it takes a rename. Absolute. */
export function trashFolder(workspace: Workspace): string {
  return join(resultFolder(workspace), '.trash')
}

/**
 * Deletes a run, after ending what lives of it: its folder goes to the trash, from which it can be taken back. A folder
 * outside the project's result folder, or a link in its place, is left alone.
 * @returns the folder that was left, null where none was
 */
export async function deleteRun(workspace: Workspace, run: Run): Promise<string | null> {
  const { store } = workspace
  const current = await refreshRun(workspace, run)
  if (!isOver(current.counts)) await cancelRun(workspace, current)
  faultPoint('delete-begin')
  const folder = absolutePath(workspace, run.storagePath)
  const left = existsSync(folder) && !isOurs(workspace, folder) ? folder : null
  // In this order a crash leaves no run in the lists whose files are in the trash.
  store.transaction(() => store.runs.setDeleted(run.id, true))
  faultPoint('delete-marked')
  try {
    moveToTrash(workspace, run)
  } catch (error) {
    store.transaction(() => store.runs.setDeleted(run.id, false))
    throw error
  }
  faultPoint('delete-moved')
  return left
}

/** Moves the folder of a run that was deleted, unless that is done or the folder is not ours. */
export function moveToTrash(workspace: Workspace, { id, storagePath }: Pick<Run, 'id' | 'storagePath'>): void {
  const folder = absolutePath(workspace, storagePath)
  if (existsSync(folder) && isOurs(workspace, folder)) move(folder, join(trashFolder(workspace), `run_${id}`))
}

/** Takes a run back that was deleted. @throws UserError where it is not in the trash, or its place is taken */
export function restoreRun(workspace: Workspace, experiment: string, id: string): Run {
  const { store } = workspace
  const deleted = store.runs.deleted().filter(run => run.experiment === experiment)
  const run = deleted.find(candidate => String(candidate.id) === id)
  if (!run) {
    const there = deleted.length > 0 ? `there are ${deleted.map(each => each.id).join(', ')}` : 'there is none of it'
    throw new UserError(`run ${id} of ${experiment} is not in the trash: ${there}`, "'qanat cache clean' empties it")
  }
  const folder = absolutePath(workspace, run.storagePath)
  const trashed = join(trashFolder(workspace), `run_${run.id}`)
  if (existsSync(folder) && existsSync(trashed)) {
    throw new UserError(`there is something else in its place: ${run.storagePath}`, 'move that away, and try again')
  }
  move(trashed, folder)
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  return store.runs.find(run.id)!
}

function move(from: string, to: string): void {
  if (!existsSync(from)) return
  try {
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  } catch (error) {
    throw explainFolder(error, from)
  }
}

/** A real folder, reached without any link below the result folder (which may be one itself). */
function isOurs(workspace: Workspace, folder: string): boolean {
  const results = resultFolder(workspace)
  if (!existsSync(results) || lstatSync(folder).isSymbolicLink() || !folder.startsWith(`${results}/`)) return false
  return realpathSync(folder) === join(realpathSync(results), folder.slice(results.length))
}
