import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { isForeignFolder, refuseTrashLink, trashFolder } from '../../runfolder/trash.js'
import { faultPoint } from '../../system/fault-point.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { forgetSecrets } from '../secrets/forget-secrets.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { cancelRun, NothingCancelled } from './cancel-run.js'
import { moveToTrash } from './trash.js'

/**
 * Deletes a run after cancelling its live groups: its folder goes to the trash, from which it can be restored. A folder
 * outside the project's result folder, or anything else in its place, is left alone, with a warning.
 * @param at time of the deletion, the same for runs that are deleted together; in milliseconds since the epoch
 * @throws UserError if another command has deleted it or launched it again
 */
export async function deleteRun(workspace: Workspace, run: Run, at = Date.now()): Promise<void> {
  const { store } = workspace
  let current = await refreshRun(workspace, run)
  if (!isOver(current.counts)) {
    try {
      current = await cancelRun(workspace, current)
    } catch (error) {
      if (!(error instanceof NothingCancelled)) throw error
      workspace.warn(error.message)
    }
  }
  faultPoint('delete-begin')
  const folder = absolutePath(workspace, run.storagePath)
  const results = resultFolder(workspace)
  const token = store.runs.token(run.id)
  const isForeign = isForeignFolder(results, folder, token)
  await forgetSecrets(workspace, run)
  refuseTrashLink(results)
  // In this order, a crash never leaves a run in the lists whose files are in the trash.
  store.transaction(() => {
    // Another command may have deleted it: if this one then failed to move the folder, it would list the run again.
    const { counts } = store.runs.get(run.id)
    if (isOver(current.counts) && !isOver(counts))
      throw new UserError(`run ${run.id} was launched again in the meantime`, `qanat run_show ${run.id}`)
    store.runs.setDeleted(run.id, true, at)
  })
  faultPoint('delete-marked')
  let isMoved = true
  try {
    isMoved = await moveToTrash(workspace, { ...run, token })
  } catch (error) {
    store.transaction(() => store.runs.setDeleted(run.id, false))
    throw error
  }
  faultPoint('delete-moved')
  const reason = isForeign
    ? `it is not a folder that the run has made in ${results}`
    : `it is on another file system than ${trashFolder(results)}`
  if (isForeign || !isMoved) workspace.warn(`${folder} was not moved to the trash: ${reason}`)
}
