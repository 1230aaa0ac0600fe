import { SchedulerError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { intentOf } from '../refresh/submissions.js'
import type { Workspace } from '../workspace.js'

/**
 * Ends what an attempt that failed has submitted, known or not: a scheduler that was silent, or said no, may have taken it all
 * the same.
 * @returns false where the scheduler does not answer, so that jobs of the attempt may still be in the queue
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
    workspace.warn(`${error.message}\nrun ${id} is kept, since jobs of it may be in the queue`)
    return false
  }
}
