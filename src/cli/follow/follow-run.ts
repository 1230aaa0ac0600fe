import { isOver, isSettled } from '../../domain/runs/aggregate.js'
import type { GroupCounts, Run } from '../../domain/runs/run.js'
import { InterruptedError, OperationError, UserError } from '../../errors.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { waitRun } from '../../operations/runs/wait-run.js'
import { isInForeground, runnerOf, type Workspace } from '../../operations/workspace.js'
import { counted } from '../../views/format/counted.js'
import { barFollower, type Follower } from './followers.js'
import type { Interruption } from './interruption.js'

/**
 * Waits for a run. Ctrl-C cancels a run that belongs to the foreground; of any other it only ends the waiting.
 * @throws InterruptedError after Ctrl-C
 */
export function followRun(
  workspace: Workspace,
  run: Run,
  follower: Follower,
  interruption: Interruption,
): Promise<Run> {
  const follow = isInForeground(runnerOf(workspace, run)) ? followGroups : followJobs
  return follow(workspace, run, follower, interruption).finally(() => follower.end())
}

async function followJobs(workspace: Workspace, run: Run, follower: Follower, { signal }: Interruption): Promise<Run> {
  const last = await waitRun(workspace, run, current => follower.update(current), signal)
  if (isSettled(last)) return last
  follower.end()
  throw new InterruptedError(
    `no longer waiting for run ${run.id}; its jobs go on`,
    `qanat run_wait ${run.id}        qanat run_cancel ${run.id}`,
  )
}

/**
 * Waits for a run that another command launched.
 * @param revive starts its workers again if all have died, once
 * @throws InterruptedError after Ctrl-C, which leaves the run alone
 * @throws OperationError if all its workers have died
 */
export async function awaitRun(
  workspace: Workspace,
  run: Run,
  interruption: AbortSignal,
  revive: ((run: Run) => Promise<Run>) | null = null,
): Promise<Run> {
  const bar = barFollower(workspace)
  const ended = await waitRun(workspace, run, current => bar.update(current), interruption).finally(() => bar.end())
  if (isSettled(ended)) return ended
  if (!interruption.aborted) {
    if (revive === null) throw withoutWorkers(ended)
    return awaitRun(workspace, await revive(ended), interruption)
  }
  const hint = `qanat run_cancel ${run.id}        cancels it`
  throw new InterruptedError(`no longer waiting for run ${run.id}, which goes on`, hint)
}

/** The error about a run whose workers have all died. */
export function withoutWorkers({ id, counts }: Run): OperationError {
  return new OperationError(
    `run ${id} has no worker any more: ${counted(counts.pending, 'group')} of it ${counts.pending === 1 ? 'has' : 'have'} not begun`,
    `qanat run_wait ${id} --yes        starts workers again for ${counts.pending === 1 ? 'it' : 'them'}`,
  )
}

/** Ctrl-C gives the groups time to end; a second Ctrl-C kills them. */
async function followGroups(
  workspace: Workspace,
  run: Run,
  follower: Follower,
  interruption: Interruption,
): Promise<Run> {
  const cancels: Promise<unknown>[] = []
  let isCancelled = false
  interruption.handle(() => {
    if (!isCancelled) {
      follower.end()
      workspace.warn(`cancelling run ${run.id}; Ctrl-C again kills its groups at once`)
    }
    const cancelled = cancelRun(workspace, run, isCancelled).catch((error: Error) => {
      // The run may have ended in the meantime.
      if (error instanceof UserError) return
      workspace.warn(`run ${run.id} could not be cancelled: ${error.message}`)
      isCancelled = false
    })
    isCancelled = true
    cancels.push(cancelled)
  })
  const ended = await waitRun(workspace, run, current => {
    if (!isCancelled) follower.update(current)
  })
  // Ctrl-C may come again during this wait.
  for (const cancelled of cancels) await cancelled
  if (!isCancelled && !isSettled(ended)) throw withoutWorkers(ended)
  if (!isCancelled) return ended
  const { id, counts } = workspace.store.runs.find(run.id) ?? ended
  throw new InterruptedError(interruptedText(id, counts), nextAfter(id, counts))
}

function interruptedText(id: number, counts: GroupCounts): string {
  const failed = counts.failed > 0 ? [`${counts.failed} failed`] : []
  const live = isOver(counts) ? [] : ['some still live']
  const parts = [`${counts.finished} finished`, ...failed, `${counts.cancelled} cancelled`, ...live]
  return `run ${id} was cancelled: ${parts.join(', ')}`
}

function nextAfter(id: number, counts: GroupCounts): string | null {
  if (!isOver(counts)) return `qanat run_wait ${id}`
  if (counts.failed > 0) return `qanat failures ${id}        qanat run_retry ${id}`
  return counts.cancelled + counts.lost > 0 ? `qanat run_retry ${id}` : null
}
