import { dropReferences } from '../../code/run-reference.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
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
import { refreshRun } from '../refresh/refresh-runs.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { cancelRun } from './cancel-run.js'
import { findRun } from './find-run.js'

/** The runs of an experiment that words name, as in `3 5-9`. @throws UserError for what is no id of a run of it */
export function findRuns(workspace: Workspace, experiment: string, words: readonly string[]): Run[] {
  const known = workspace.store.runs.listOf(experiment).map(run => run.id)
  return readRunIds(words, known).map(id => findRun(workspace, experiment, id))
}

/**
 * Deletes a run, after ending its live groups: its folder goes to the trash, from which it can be taken back. A folder
 * outside the project's result folder, or what is in its place now, is left alone, with a warning.
 */
export async function deleteRun(workspace: Workspace, run: Run): Promise<void> {
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
  if (left)
    workspace.warn(`${left} is not a folder that the run made in the project's results and was left where it is`)
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

/**
 * Takes back the deleted runs of an experiment that words name, one after the other.
 * @throws UserError for one that is not in the trash, or whose place is taken
 */
export function* restoreRuns(workspace: Workspace, experiment: string, words: readonly string[]): Generator<Run> {
  const known = workspace.store.runs.deleted().map(run => run.id)
  for (const id of readRunIds(words, known)) yield restoreRun(workspace, experiment, id)
}

/** Takes a run back that was deleted. @throws UserError where it is not in the trash, or its place is taken */
function restoreRun(workspace: Workspace, experiment: string, id: string): Run {
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
  return store.runs.get(run.id)
}
