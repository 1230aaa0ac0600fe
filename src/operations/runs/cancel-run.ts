import { setTimeout as sleep } from 'node:timers/promises'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import { faultPoint } from '../../system/fault-point.js'
import type { Workspace } from '../workspace.js'
import { refreshRun } from './refresh-runs.js'
import { submissionsOf } from './submissions.js'

/** A scheduler needs a moment to end jobs: it is asked so often, and so many milliseconds apart, how far it is. */
const looks = 10
const pause = 500

/**
 * Ends what lives of a run, and returns it as it then is: a scheduler may take longer to end jobs than is waited here.
 * @param now without leaving its groups time to end by themselves
 * @throws UserError where nothing of it lives
 */
export async function cancelRun(workspace: Workspace, run: Run, now = false): Promise<Run> {
  const runner = workspace.findRunner(run.runner)
  let current = await refreshRun(workspace, run)
  if (isOver(current.counts)) throw new UserError(`run ${run.id} is over: it is ${current.status}`)
  const { handles, state } = await submissionsOf(workspace, current)
  if (state === 'partial') {
    throw new OperationError(`run ${run.id} is still being submitted`, 'try again in a moment')
  }
  faultPoint('cancel-begin')
  await runner.cancel(handles, now)
  faultPoint('cancel-end')
  current = await refreshRun(workspace, current, 0)
  for (let look = 1; runner.isScheduler && look < looks && !isOver(current.counts); look++) {
    await sleep(pause)
    current = await refreshRun(workspace, current, 0)
  }
  return current
}
