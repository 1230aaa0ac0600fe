import { isOver } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import { OperationError, UserError } from '../errors.js'
import { refreshRun } from './refresh-runs.js'
import { submissionsOf } from './submissions.js'
import type { Workspace } from './workspace.js'

/**
 * Ends what lives of a run and returns it as it then is.
 * @param now without leaving its groups time to end by themselves
 * @throws UserError where nothing of it lives
 */
export async function cancelRun(workspace: Workspace, run: Run, now = false): Promise<Run> {
  const current = await refreshRun(workspace, run)
  if (isOver(current.counts)) throw new UserError(`run ${run.id} is over: it is ${current.status}`)
  const submissions = await submissionsOf(workspace, current)
  if (submissions.kind !== 'submitted') {
    throw new OperationError(`run ${run.id} is being launched by another command`, 'try again in a moment')
  }
  await workspace.findRunner(run.runner).cancel(submissions.handles, now)
  return refreshRun(workspace, current)
}
