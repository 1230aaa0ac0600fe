import { isOver } from '../../domain/runs/aggregate.js'
import { type GroupReport, type GroupStatus, hasEnded, type Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { expectEnd, noteDataAtEnd } from '../data/data-at-end.js'
import { renewRunYaml } from '../folder/run-files.js'
import { knownRun } from '../refresh/known-run.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { runnerOf, type Workspace } from '../workspace.js'

/**
 * Counts the live groups as lost, because the user says that their machine is gone for good, or because they live for the
 * project that this one is a copy of. Ends that they have recorded still count, whenever they are read.
 * @throws UserError if no group of the run lives on another machine or for another project
 */
export async function giveUpRun(workspace: Workspace, run: Run): Promise<Run> {
  const { store } = workspace
  const current = await refreshRun(workspace, run, 0)
  if (isOver(current.counts))
    throw new UserError(
      `run ${run.id} is over (${current.status}): there is nothing to give up`,
      `qanat run_show ${run.id}`,
    )
  const { asked, known } = await knownRun(workspace, current)
  const host = await runnerOf(workspace, run).hostElsewhere?.(asked.handles)
  if (!host && asked.foreign.size === 0) {
    throw new UserError(
      `run ${run.id} does not live on another machine, so it can be cancelled`,
      `qanat run_cancel ${run.id}`,
    )
  }
  expectEnd(workspace, run)
  store.transaction(() => {
    // Read again: another command may have stored the end of a group in the meantime.
    const stored = new Map(store.runs.groups(run.id).map(({ index, status }) => [index, status]))
    const indices = Array.from({ length: known.groupCount }, (_, index) => index)
    const reports = indices.flatMap((index): GroupReport[] => {
      const status = stored.get(index) ?? { state: 'pending' }
      if (hasEnded(status.state)) return []
      const attempt = known.attemptOf(index)
      return [{ index, status: lostAfter(status), ...(attempt > 1 && { attempt }) }]
    })
    store.runs.update(run.id, reports, store.runs.get(run.id).progress, Date.now())
  })
  renewRunYaml(workspace, run.id)
  await noteDataAtEnd(workspace, [store.runs.get(run.id)])
  return store.runs.get(run.id)
}

function lostAfter(status: GroupStatus): GroupStatus {
  if (status.state !== 'running') {
    return { state: 'lost', cause: 'never_started', started: null, finished: null, host: null, jobId: null }
  }
  const { started, host, jobId } = status
  return { state: 'lost', cause: 'vanished', started, finished: null, host, jobId }
}
