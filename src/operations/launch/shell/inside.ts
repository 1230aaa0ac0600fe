import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import type { Runner } from '../../../runners/types.js'
import { currentRun } from '../../runs/run-details.js'
import { runnerOf, type Workspace } from '../../workspace.js'

/**
 * Id of the job of a group that runs; null if no scheduler has dealt it a place: then any shell at its site is beside it.
 * @throws UserError if it does not run, or its scheduler lets no shell into jobs
 */
export async function jobToJoin(workspace: Workspace, run: Run, index: number): Promise<string | null> {
  const current = await currentRun(workspace, run)
  const { store } = workspace
  const report = store.runs.groups(current.id).find(each => each.index === index)
  if (report?.status.state !== 'running')
    throw new UserError(
      `group ${run.id}.${index} does not run`,
      `qanat shell ${run.id}.${index}        opens a shell in its environment`,
    )
  const { jobId } = report.status
  const runner = runnerOf(workspace, run)
  if (!runner.kind.traits.has('hasScheduler')) return null
  if (jobId === null)
    throw new UserError(`it is not known yet in which job group ${run.id}.${index} runs`, 'try again in a moment')
  refuseWithoutShells(runner, jobId)
  return jobId
}

/** @param jobId of a job that runs, or null for one of its own @throws UserError if there are no shells */
export function refuseWithoutShells(runner: Runner, jobId: string | null): void {
  const refusal = runner.refuseShell?.(jobId) ?? null
  if (refusal !== null) throw refusal
}
