import { dropReferences } from '../../code/run-reference.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
import { UserError } from '../../errors.js'
import { discard, moveToTrash, placeInTrash, removeEmptyTrash, takeFromTrash } from '../../runfolder/trash.js'
import { faultPoint } from '../../system/fault-point.js'
import { folderSize } from '../../system/folder-size.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'

/** A deleted run that can still be taken back. */
export interface DeletedRun {
  readonly id: number
  readonly experiment: string
  /** Where it was, and comes back to. */
  readonly storagePath: string
  readonly bytes: number
}

/** What is in the trash, in the order of the ids. */
export function deletedRuns(workspace: Workspace): DeletedRun[] {
  const results = resultFolder(workspace)
  return workspace.store.runs.deleted().map(({ id, experiment, storagePath }) => {
    return { id, experiment, storagePath, bytes: folderSize(placeInTrash(results, id)) }
  })
}

/** How much room deleted runs take, in bytes. */
export function sizeOf(runs: readonly DeletedRun[]): number {
  return runs.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Deletes the runs in the trash for good, and nothing else that is there or where a link leads. */
export async function emptyTrash(workspace: Workspace): Promise<void> {
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
}

/**
 * Takes back the deleted runs that words name, one after the other.
 * @param experiment whose runs they have to be; null where those of any will do
 * @throws UserError for one that is not in the trash, or whose place is taken
 */
export function* restoreRuns(
  workspace: Workspace,
  experiment: string | null,
  words: readonly string[],
): Generator<{ readonly id: number }> {
  const known = workspace.store.runs.deleted().map(run => run.id)
  for (const id of readRunIds(words, known)) yield restoreRun(workspace, experiment, id)
}

function restoreRun(workspace: Workspace, experiment: string | null, id: string): { readonly id: number } {
  const { store } = workspace
  const deleted = store.runs.deleted().filter(run => experiment === null || run.experiment === experiment)
  const run = deleted.find(candidate => String(candidate.id) === id)
  if (!run) {
    const there = deleted.length > 0 ? `there are ${deleted.map(each => each.id).join(', ')}` : 'there is none'
    const of = experiment === null ? '' : ` of ${experiment}`
    throw new UserError(
      `run ${id}${of} is not in the trash: ${there}`,
      'qanat trash list        shows what can be taken back; what the trash was emptied of is gone for good',
    )
  }
  if (!takeFromTrash(resultFolder(workspace), run.id, absolutePath(workspace, run.storagePath))) {
    throw new UserError(`there is something else in its place: ${run.storagePath}`, 'move that away, and try again')
  }
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  return run
}
