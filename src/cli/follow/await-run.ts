import { isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { InterruptedError } from '../../errors.js'
import { waitRun } from '../../operations/runs/wait-run.js'
import type { Workspace } from '../../operations/workspace.js'
import { barFollower } from './followers.js'

/** Waits for a run that another command launched. @throws InterruptedError after Ctrl-C, which leaves the run alone */
export async function awaitRun(workspace: Workspace, run: Run, interruption: AbortSignal): Promise<Run> {
  const bar = barFollower(workspace)
  const ended = await waitRun(workspace, run, current => bar.update(current), interruption).finally(() => bar.end())
  if (isSettled(ended)) return ended
  throw new InterruptedError(
    `no longer waiting for run ${run.id}, which goes on`,
    `qanat run_cancel ${run.id}        cancels it`,
  )
}
