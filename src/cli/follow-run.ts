import { isOver } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import { InterruptedError } from '../errors.js'
import { cancelRun } from '../operations/cancel-run.js'
import { waitRun } from '../operations/wait-run.js'
import type { Workspace } from '../operations/workspace.js'
import type { Interruption } from './interruption.js'

/** What happens to the screen while a run is followed. */
export interface Follower {
  update(run: Run): void
  end(): void
}

/**
 * Waits for a run in the foreground. Ctrl-C cancels it and its groups are given time to end; a second one leaves them
 * none.
 * @throws InterruptedError after Ctrl-C, once nothing of the run lives
 */
export async function followRun(
  workspace: Workspace,
  run: Run,
  follower: Follower,
  interruption: Interruption,
): Promise<Run> {
  let cancelling: Promise<Run> | null = null
  interruption.handle(() => {
    if (cancelling === null) {
      follower.end()
      workspace.warn(`cancelling run ${run.id}; Ctrl-C again ends its groups at once`)
    }
    const cancelled = cancelRun(workspace, run, cancelling !== null).catch(() => run)
    cancelling ??= cancelled
  })
  try {
    const ended = await waitRun(workspace, run, current => {
      if (cancelling === null) follower.update(current)
    })
    await cancelling
    if (cancelling !== null) throw new InterruptedError(interruptedText(workspace.store.runs.find(run.id) ?? ended))
    return ended
  } finally {
    follower.end()
  }
}

function interruptedText(run: Run): string {
  const { finished, cancelled } = run.counts
  return `run ${run.id} was cancelled: ${finished} finished, ${cancelled} cancelled${isOver(run.counts) ? '' : ', some still live'}`
}
