import { setTimeout as sleep } from 'node:timers/promises'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { foreignError } from '../refresh/foreign-attempts.js'
import { knownRun, liveHandles } from '../refresh/known-run.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { runnerOf, type Workspace } from '../workspace.js'

/** A scheduler needs a moment to end jobs: poll it this many times, with this pause in milliseconds, while it answers. */
const polls = 10
const pause = 500

/** No job of a run was found that could be cancelled. */
export class NothingCancelled extends OperationError {}

/**
 * Cancels the live groups of a run. A scheduler may take longer to end them than this function waits.
 * @param now kills the groups without giving them time to end
 * @returns the run as it is then
 * @throws UserError if no group is live
 * @throws NothingCancelled if no job was found, although groups are not known to have ended
 */
export async function cancelRun(workspace: Workspace, run: Run, now = false): Promise<Run> {
  const runner = runnerOf(workspace, run)
  const lags = runner.kind.traits.has('lags')
  let current = await refreshRun(workspace, run, 0)
  let isSilent = lags && current.asOf === run.asOf
  if (isOver(current.counts))
    throw new UserError(
      `run ${run.id} is over (${current.status}): there is nothing to cancel`,
      `qanat run_show ${run.id}`,
    )
  const looked = await knownRun(workspace, current)
  if (looked.asked.partial.size > 0) {
    throw new OperationError(`run ${run.id} is still being submitted`, 'try again in a moment')
  }
  const handles = liveHandles(looked)
  const [original] = looked.asked.foreign.values()
  if (handles.length === 0 && original !== undefined) throw foreignError(run, original)
  faultPoint('cancel-begin')
  let isFound = false
  await runner.cancel(handles, now, cancelled => {
    isFound = true
    markCancelled(workspace, run, cancelled)
  })
  faultPoint('cancel-end')
  for (let poll = 0; poll < (lags && isFound ? polls : 1) && !isSilent && !isOver(current.counts); poll++) {
    if (poll > 0) await sleep(pause)
    const { asOf } = current
    current = await refreshRun(workspace, current, 0)
    isSilent = lags && current.asOf === asOf
  }
  if (!isFound && !isOver(current.counts)) {
    throw new NothingCancelled(
      `nothing was cancelled: no job of run ${run.id} was found in the queue of ${run.runner}`,
      `qanat why ${run.id}`,
    )
  }
  return current
}

/** From now on, groups of these attempts that are told to end count as cancelled. */
function markCancelled({ store }: Workspace, { id }: Run, handles: readonly JobHandle[]): void {
  const now = Date.now()
  store.transaction(() => {
    for (const { attempt } of handles) store.attempts.setCancelled(id, attempt, now)
  })
}
