import { dropReferences } from '../../code/run-reference.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import {
  discard,
  isOwnFolder,
  moveToTrash,
  removeEmptyTrash,
  takeFromTrash,
  trashFolder,
} from '../../runfolder/trash.js'
import { faultPoint } from '../../system/fault-point.js'
import { exists, refuseLink } from '../../system/files.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { cancelRun } from './cancel-run.js'
import { refreshRun } from './refresh-runs.js'

/**
 * Deletes a run, after ending its live groups: its folder goes to the trash, from which it can be taken back. A folder
 * outside the project's result folder, or what is in its place now, is left alone.
 * @returns the folder that was left, null where none was
 */
export async function deleteRun(workspace: Workspace, run: Run): Promise<string | null> {
  const { store } = workspace
  const current = await refreshRun(workspace, run)
  if (!isOver(current.counts)) await cancelRun(workspace, current)
  faultPoint('delete-begin')
  const folder = absolutePath(workspace, run.storagePath)
  const results = resultFolder(workspace)
  const { token } = store.runs.submission(run.id)
  const left = exists(folder) && !isOwnFolder(results, folder, token) ? folder : null
  refuseLink(trashFolder(results))
  // In this order a crash leaves no run in the lists whose files are in the trash.
  store.transaction(() => store.runs.setDeleted(run.id, true))
  faultPoint('delete-marked')
  try {
    moveToTrash(results, { id: run.id, token }, folder)
  } catch (error) {
    store.transaction(() => store.runs.setDeleted(run.id, false))
    throw error
  }
  faultPoint('delete-moved')
  return left
}

/** Deletes the runs in the trash for good, and nothing else that is there or where a link leads. @returns how many */
export async function emptyTrash(workspace: Workspace): Promise<number> {
  const { store, project } = workspace
  const results = resultFolder(workspace)
  const deleted = store.runs.deleted()
  // A crash may have come between the mark and the move.
  for (const run of deleted) moveToTrash(results, run, absolutePath(workspace, run.storagePath))
  faultPoint('trash-begin')
  for (const run of deleted) discard(results, run)
  removeEmptyTrash(results)
  faultPoint('trash-removed')
  const tokens = deleted.map(({ token }) => token)
  await dropReferences(project.root, tokens)
  faultPoint('trash-references')
  store.transaction(() => {
    for (const { id } of deleted) store.runs.delete(id)
  })
  return deleted.length
}

/** Takes a run back that was deleted. @throws UserError where it is not in the trash, or its place is taken */
export function restoreRun(workspace: Workspace, experiment: string, id: string): Run {
  const { store } = workspace
  const deleted = store.runs.deleted().filter(run => run.experiment === experiment)
  const run = deleted.find(candidate => String(candidate.id) === id)
  if (!run) {
    const there = deleted.length > 0 ? `there are ${deleted.map(each => each.id).join(', ')}` : 'there is none of it'
    throw new UserError(
      `run ${id} of ${experiment} is not in the trash: ${there}`,
      'what qanat cache clean has removed is gone for good',
    )
  }
  if (!takeFromTrash(resultFolder(workspace), run.id, absolutePath(workspace, run.storagePath))) {
    throw new UserError(`there is something else in its place: ${run.storagePath}`, 'move that away, and try again')
  }
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  return store.runs.find(run.id)!
}
