import type { Run } from '../../domain/runs/run.js'
import { InterruptedError, QanatError, SchedulerError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { intentOf } from '../refresh/submissions.js'
import { runnerOf, type Workspace } from '../workspace.js'

/**
 * Cancels the jobs of an attempt that failed, also those without a handle: a scheduler that did not answer, or refused,
 * may have accepted them all the same.
 * @returns false if jobs of the attempt may still be in the queue, since the scheduler does not answer or does not find them
 */
export async function endSubmitted(
  workspace: Workspace,
  id: number,
  attempt: number,
  known: readonly JobHandle[],
): Promise<boolean> {
  const { store } = workspace
  const run = store.runs.get(id)
  const runner = runnerOf(workspace, run)
  const { groups } = store.attempts.of(id).find(each => each.attempt === attempt)!
  try {
    const { handles } = await runner.find(intentOf(workspace, run, { attempt, groups }), 0)
    const submitted = handles.length > known.length ? handles : known
    let cancelled = 0
    await runner.cancel(submitted, true, ({ length }) => {
      cancelled += length
    })
    if (cancelled === submitted.length) {
      // A pool that has told nobody who it is has not begun.
      if (cancelled > 0 && (handles.length > 0 || !runner.kind.traits.has('dealsSlots')))
        workspace.warn('the jobs that were already submitted have been cancelled; some may have begun')
      return true
    }
    workspace.warn(`run ${id} is kept, since some of its jobs were not found in the queue`)
  } catch (error) {
    if (!(error instanceof SchedulerError)) throw error
    workspace.warn(`${error.message}\nrun ${id} is kept, since its jobs may be in the queue`)
  }
  return false
}

/** What is thrown after a launch that failed, of a run that is kept because the scheduler may have its jobs. */
export function explainKept(error: unknown, { id, runner }: Pick<Run, 'id' | 'runner'>): unknown {
  if (!(error instanceof QanatError) || error instanceof InterruptedError) return error
  return new SchedulerError(
    `it is not known whether ${runner} has taken the jobs of run ${id}, which is kept: ${error.message}`,
    `qanat run_show ${id}`,
  )
}
