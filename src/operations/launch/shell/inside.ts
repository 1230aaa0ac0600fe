import { HERE, type Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { currentRun } from '../../runs/run-details.js'
import { runnerOf, type Workspace } from '../../workspace.js'

/** Id of the job of a group that runs. @throws UserError if it does not run, or its runner has no jobs */
export async function jobToJoin(workspace: Workspace, run: Run, index: number): Promise<string> {
  const current = await currentRun(workspace, run)
  const { store } = workspace
  const report = store.runs.groups(current.id).find(each => each.index === index)
  if (report?.status.state !== 'running')
    throw new UserError(
      `group ${run.id}.${index} does not run`,
      `qanat shell ${run.id}.${index}        opens a shell in its environment`,
    )
  const { jobId } = report.status
  if (jobId !== null && runnerOf(workspace, run).kind.traits.has('hasScheduler')) return jobId
  const place = run.site === HERE ? 'this machine' : run.site
  throw new UserError(
    `group ${run.id}.${index} runs on ${place} without a job`,
    `qanat shell ${run.id}.${index}        opens a shell there`,
  )
}
