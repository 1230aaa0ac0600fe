import { isCopyThere } from '../../code/frozen/frozen-copies.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { type Attempt, lastAttempts } from '../../domain/runs/launch.js'
import { haltOf, type Run } from '../../domain/runs/run.js'
import { OperationError } from '../../errors.js'
import { hasSecrets } from '../../runfolder/secrets/secrets-file.js'
import type { JobHandle } from '../../runners/types.js'
import { refuseUnwritable } from '../../store/database.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { putPrepared, refuseForeignFolder } from '../folder/run-files.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { storeHandle, submissionsOf } from '../refresh/submissions.js'
import { readSecrets } from '../secrets/read-secrets.js'
import { absolutePath, runnerOf, siteOf, type Workspace } from '../workspace.js'
import { templateOf } from './run-details.js'

/**
 * Starts workers again for the groups of a run that have not begun, after all its workers have died. Of several commands at the same
 * time, one does it.
 * @returns the run as it is then
 */
export async function resumeRun(workspace: Workspace, run: Run): Promise<Run> {
  refuseUnwritable(workspace.project.databaseFile)
  return withProjectLock(workspace.project, 'workers', async () => {
    const current = await refreshRun(workspace, run, 0)
    if (haltOf(current) !== 'no_worker') return current
    refuseForeignFolder(workspace, current)
    refuseWithoutCopy(workspace, current)
    const { attempts, handles, foreign } = await submissionsOf(workspace, current)
    for (const attempt of attempts) {
      const handle = foreign.has(attempt.attempt) ? null : handles.find(each => each.attempt === attempt.attempt)
      const waiting = waitingOf(workspace, current, attempts, attempt)
      if (handle && waiting.size > 0) await resumeAttempt(workspace, current, attempt, handle, waiting)
    }
    return refreshRun(workspace, current, 0)
  })
}

async function resumeAttempt(
  workspace: Workspace,
  run: Run,
  attempt: Attempt,
  handle: JobHandle,
  waiting: ReadonlySet<number>,
): Promise<void> {
  const runner = runnerOf(workspace, run)
  const { environment } = templateOf(workspace, run, attempt)
  const { place } = handle
  if (Object.keys(environment.secrets).length > 0 && !hasSecrets(place.here, attempt.attempt)) {
    const secrets = await readSecrets(workspace, attempt.submitTemplate ?? 'default', environment)
    const plan = { place, attempt: attempt.attempt, environment }
    await putPrepared(workspace, runner.site, { plan, files: [] }, secrets)
  }
  const slots = run.runnerParameters.slots ?? 1
  try {
    for await (const resumed of runner.resume!(handle, environment, waiting, slots))
      storeHandle(workspace, run.id, resumed)
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    throw new OperationError(error.message, launchAnew(run))
  }
}

/** The groups of an attempt that are pending. */
function waitingOf({ store }: Workspace, run: Run, attempts: readonly Attempt[], { attempt }: Attempt): Set<number> {
  const attemptOf = lastAttempts(attempts)
  const others = new Set(
    store.runs.groups(run.id).flatMap(({ index, status }) => (status.state === 'pending' ? [] : index)),
  )
  const indices = Array.from({ length: totalOf(run.counts) }, (_, index) => index)
  return new Set(indices.filter(index => !others.has(index) && attemptOf(index) === attempt))
}

/** @throws OperationError if the frozen copy in which the groups are to run is gone */
function refuseWithoutCopy(workspace: Workspace, run: Run): void {
  const { isHere } = siteOf(workspace, run)
  if (run.frozen === null || !isHere || isCopyThere(absolutePath(workspace, run.frozen))) return
  throw new OperationError(`the frozen copy of run ${run.id} is gone: ${run.frozen}`, launchAnew(run))
}

/** What to type if the workers of a launch cannot be started again. */
function launchAnew({ id }: Run): string {
  return `qanat run_cancel ${id}, then qanat run_retry ${id}        launches its groups anew`
}
