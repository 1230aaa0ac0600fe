import { SchedulerError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { intentOf } from '../refresh/submissions.js'
import type { Workspace } from '../workspace.js'

/**
 * Cancels the jobs of an attempt that failed, also those without a handle: a scheduler that did not answer, or refused,
 * may have accepted them all the same.
 * @returns false if the scheduler does not answer, so that jobs of the attempt may still be in the queue
 */
export async function endSubmitted(
  workspace: Workspace,
  id: number,
  attempt: number,
  known: readonly JobHandle[],
): Promise<boolean> {
  const { store } = workspace
  const run = store.runs.get(id)
  const runner = workspace.findRunner(run.runner)
  const { groups } = store.attempts.of(id).find(each => each.attempt === attempt)!
  try {
    const { handles } = await runner.find(intentOf(workspace, run, { attempt, groups }), 0)
    await runner.cancel(handles.length > known.length ? handles : known, true, () => {})
    return true
  } catch (error) {
    if (!(error instanceof SchedulerError)) throw error
    workspace.warn(`${error.message}\nrun ${id} is kept, since its jobs may be in the queue`)
    return false
  }
}
