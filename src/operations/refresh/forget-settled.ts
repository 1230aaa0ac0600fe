import { QanatError } from '../../errors.js'
import { runnerOf, type Workspace } from '../workspace.js'
import type { RunSnapshot } from './known-run.js'

/**
 * Forgets how far the journals of a run were read that is settled, and lets the scheduler forget its jobs, should it not do so by
 * itself. Jobs that stay harm nobody.
 */
export async function forgetSettled(workspace: Workspace, { run, asked: { handles } }: RunSnapshot): Promise<void> {
  workspace.store.transaction(() => workspace.store.refreshes.forgetCursor(run.id))
  try {
    await runnerOf(workspace, run).forget?.(handles)
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    workspace.warn(`the jobs of run ${run.id}, which are over, could not be removed: ${error.message}`)
  }
}
