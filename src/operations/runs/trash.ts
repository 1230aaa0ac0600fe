import { dropReferences } from '../../code/run-reference.js'
import type { Run } from '../../domain/runs/run.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
import { UserError } from '../../errors.js'
import { forgetOutputs } from '../../project/data/outputs.js'
import { explainFolder } from '../../runfolder/folder-errors.js'
import {
  movesFromTrash,
  movesToTrash,
  placeInTrash,
  removalFromTrash,
  removeEmptyTrash,
  type TrashedRun,
  trashedSize,
} from '../../runfolder/trash.js'
import { faultPoint } from '../../system/fault-point.js'
import type { Change } from '../../system/folders/changes.js'
import { renewRunYaml } from '../folder/run-files.js'
import { absolutePath, resultFolder, siteOf, type Workspace } from '../workspace.js'

/** A deleted run that can still be restored. */
export interface DeletedRun {
  readonly id: number
  readonly experiment: string
  /** Its former folder, to which it is restored. */
  readonly storagePath: string
  readonly bytes: number
}

/** A run whose folder is moved or removed among the results. */
type MovedRun = TrashedRun & Pick<Run, 'site' | 'storagePath'>

/**
 * Moves the folder of a run to the trash, unless it is there already or the folder is not the run's.
 * @returns false if it is on another file system than the trash, so that it cannot be renamed
 * @throws OperationError if the trash cannot be written
 */
export async function moveToTrash(workspace: Workspace, run: MovedRun): Promise<boolean> {
  const folder = absolutePath(workspace, run.storagePath)
  try {
    await changeResults(workspace, run, folder, movesToTrash(resultFolder(workspace), run, folder))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
    throw error
  }
}

/**
 * Makes changes in the result folder of the site of a run.
 * @param folder that is moved or removed, absolute
 * @throws OperationError that says why they cannot be made
 */
async function changeResults(
  workspace: Workspace,
  run: MovedRun,
  folder: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const [site, results] = [siteOf(workspace, run), resultFolder(workspace)]
  try {
    await site.mutate({ here: results, there: site.there(results) }, changes)
  } catch (error) {
    throw explainFolder(error, folder)
  }
}

/** Removes the copy of the finished groups of a run in a place that lasts. */
async function removeStored(workspace: Workspace, run: MovedRun): Promise<void> {
  const site = siteOf(workspace, run)
  const stored = site.stored(absolutePath(workspace, run.storagePath))
  if (stored !== null) await site.run(['rm', '-rf', '--', stored], { timeout: 600_000 })
}

/** The runs in the trash, by id. */
export function deletedRuns(workspace: Workspace): DeletedRun[] {
  const results = resultFolder(workspace)
  return workspace.store.runs.deleted().map(({ id, experiment, storagePath }) => {
    return { id, experiment, storagePath, bytes: trashedSize(results, id) }
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
  for (const run of deleted) await moveToTrash(workspace, run)
  faultPoint('trash-begin')
  for (const run of deleted) {
    await changeResults(workspace, run, placeInTrash(results, run.id), removalFromTrash(results, run))
    await removeStored(workspace, run)
  }
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
export async function* restoreRuns(
  workspace: Workspace,
  words: readonly string[],
): AsyncGenerator<{ readonly id: number }> {
  const known = workspace.store.runs.deleted().map(run => run.id)
  for (const id of readRunIds(words, known)) yield await restoreRun(workspace, id)
}

async function restoreRun(workspace: Workspace, id: string): Promise<{ readonly id: number }> {
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
  const results = resultFolder(workspace)
  const moves = movesFromTrash(results, run, absolutePath(workspace, run.storagePath))
  if (moves === null) {
    throw new UserError(
      `run ${run.id} cannot be restored: something else is in ${run.storagePath}`,
      'move that away, and try again',
    )
  }
  await changeResults(workspace, run, placeInTrash(results, run.id), moves)
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  // Its experiment may have got another name.
  renewRunYaml(workspace, run.id)
  return run
}
