import { dropReferences } from '../../code/run-reference.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
import { UserError } from '../../errors.js'
import { forgetOutputs } from '../../project/data/outputs.js'
import { discard, moveToTrash, placeInTrash, removeEmptyTrash, takeFromTrash } from '../../runfolder/trash.js'
import { faultPoint } from '../../system/fault-point.js'
import { folderSize } from '../../system/folder-size.js'
import { renewRunYaml } from '../folder/run-files.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'

/** A deleted run that can still be restored. */
export interface DeletedRun {
  readonly id: number
  readonly experiment: string
  /** Its former folder, to which it is restored. */
  readonly storagePath: string
  readonly bytes: number
}

/** The runs in the trash, by id. */
export function deletedRuns(workspace: Workspace): DeletedRun[] {
  const results = resultFolder(workspace)
  return workspace.store.runs.deleted().map(({ id, experiment, storagePath }) => {
    return { id, experiment, storagePath, bytes: folderSize(placeInTrash(results, id)) }
  })
}

/** The size of deleted runs in bytes. */
export function sizeOf(runs: readonly DeletedRun[]): number {
  return runs.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Deletes the runs in the trash for good, but no other files there, and nothing through a link. */
export async function emptyTrash(workspace: Workspace): Promise<void> {
  const { store, project } = workspace
  const results = resultFolder(workspace)
  const deleted = store.runs.deleted()
  // After a crash, a run may be marked as deleted while its folder has not been moved yet.
  for (const run of deleted) moveToTrash(results, run, absolutePath(workspace, run.storagePath))
  faultPoint('trash-begin')
  for (const run of deleted) discard(results, run)
  removeEmptyTrash(results)
  faultPoint('trash-removed')
  const tokens = deleted.map(({ token }) => token)
  await dropReferences(project.root, tokens)
  faultPoint('trash-references')
  store.transaction(() => {
    // Another command may have restored some in the meantime.
    const still = new Set(store.runs.deleted().map(({ id }) => id))
    for (const { id, token } of deleted) {
      if (!still.has(id)) continue
      store.runs.delete(id)
      forgetOutputs(project, token)
    }
  })
}

/**
 * Restores deleted runs by words such as `3 5-9`, one after the other.
 * @throws UserError for a run that is not in the trash, or whose folder is taken
 */
export function* restoreRuns(workspace: Workspace, words: readonly string[]): Generator<{ readonly id: number }> {
  const known = workspace.store.runs.deleted().map(run => run.id)
  for (const id of readRunIds(words, known)) yield restoreRun(workspace, id)
}

function restoreRun(workspace: Workspace, id: string): { readonly id: number } {
  const { store } = workspace
  const deleted = store.runs.deleted()
  const run = deleted.find(candidate => String(candidate.id) === id)
  if (!run) {
    const there = deleted.length > 0 ? `it holds ${deleted.map(each => each.id).join(', ')}` : 'it is empty'
    throw new UserError(
      `run ${id} is not in the trash: ${there}`,
      'qanat trash list        shows what can be restored; runs removed by trash empty are gone for good',
    )
  }
  if (!takeFromTrash(resultFolder(workspace), run, absolutePath(workspace, run.storagePath))) {
    throw new UserError(
      `run ${run.id} cannot be restored: something else is in ${run.storagePath}`,
      'move that away, and try again',
    )
  }
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  // Its experiment may have got another name.
  renewRunYaml(workspace, run.id)
  return run
}
