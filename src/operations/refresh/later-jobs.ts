import type { Evidence } from '../../domain/runs/judge-run.js'
import { SchedulerError } from '../../errors.js'
import { formerLauncherOf, launcherOf } from '../../project/clone.js'
import { begunSubmissions, isOwnFolder } from '../../runfolder/evidence/submissions.js'
import { faultPoint } from '../../system/fault-point.js'
import { renewRunYaml } from '../folder/run-files.js'
import { runnerOf, type Workspace } from '../workspace.js'
import type { RunSnapshot } from './known-run.js'
import { storeHandle } from './submissions.js'

/**
 * Submits jobs again that were over before they had reached all their groups, if the run is of whoever looks. If the number of
 * groups at a time is limited, they come after all others.
 */
export async function submitLaterJobs(
  workspace: Workspace,
  { run: { id, runnerParameters }, asked }: RunSnapshot,
  { unreached = [] }: Evidence,
): Promise<void> {
  if (unreached.length === 0 || !isOwnFolder(asked.place.here)) return
  const run = workspace.store.runs.find(id)
  const waiting = unreached.reduce((sum, { groups }) => sum + groups, 0)
  if (run === null) return
  // Groups that are held may wait for ever.
  const { running, pending } = run.counts
  if (runnerParameters.slots !== null && running + pending > waiting) return
  for (const { attempt, first, jobs } of unreached) await submitLater(workspace, asked, attempt, first, jobs)
  renewRunYaml(workspace, id)
}

async function submitLater(
  workspace: Workspace,
  { runId, handles, place }: RunSnapshot['asked'],
  attempt: number,
  first: number,
  jobs: readonly number[],
): Promise<void> {
  const { store, project } = workspace
  const handle = handles.find(each => each.attempt === attempt && each.first === first)!
  const number = begunSubmissions(place.here, attempt).length
  const known = handles.filter(each => each.attempt === attempt).length
  if (!store.transaction(() => store.attempts.reopen(runId, attempt, known, launcherOf(project)))) return
  faultPoint('later-claimed')
  try {
    const runner = runnerOf(workspace, store.runs.get(runId))
    const later = { number, jobs, projectRoot: runner.site.there(project.root) }
    storeHandle(workspace, runId, await runner.submitLater!(handle, later, message => workspace.warn(message)))
    store.transaction(() => store.attempts.setComplete(runId, attempt))
  } catch (error) {
    if (!(error instanceof SchedulerError)) throw error
    // This program may go on, as one that waits does: its next look finds out what was submitted.
    store.transaction(() => store.attempts.setLauncher(runId, attempt, formerLauncherOf(project)))
    workspace.warn(`groups of run ${runId} still wait for a later job: ${error.message}`)
  }
}
