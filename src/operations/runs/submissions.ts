import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { jobNameOf, launchedCount } from '../../domain/runs/run-plan.js'
import { SchedulerError } from '../../errors.js'
import { graceOf } from '../../project/config.js'
import type { JobHandle, SubmissionIntent } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { isAlive, isHere, type ProcessIdentity } from '../../system/process-identity.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** Stores the submissions of a run; their folder as the project stores paths, since a project can be moved. */
export function storeHandles(workspace: Workspace, id: number, handles: readonly JobHandle[]): void {
  const { store } = workspace
  const stored = handles.map(handle => ({ ...handle, storagePath: storedPath(workspace, handle.storagePath) }))
  faultPoint('handle-known')
  store.transaction(() => store.runs.setHandles(id, stored))
  faultPoint('handle-stored')
}

/** What the submissions of the last launch of a run are found by. */
export function intentOf(workspace: Workspace, run: Run): SubmissionIntent {
  const { token, retries } = workspace.store.runs.submission(run.id)
  const last = retries.at(-1)
  return {
    token,
    storagePath: absolutePath(workspace, run.storagePath),
    groupCount: totalOf(run.counts),
    jobName: jobNameOf(run.experiment, run.id),
    attempt: last?.attempt ?? 1,
    indices: last?.groups ?? null,
  }
}

/** What is known of a run's submissions. */
export interface Submissions {
  readonly handles: readonly JobHandle[]
  /** `partial`: more may still come, from the program that launches it or in spite of its death. */
  readonly state: 'complete' | 'partial'
}

/** The submissions of a run. Those of a launch that died are looked for, and stored once found. */
export async function submissionsOf(workspace: Workspace, run: Run): Promise<Submissions> {
  const intent = intentOf(workspace, run)
  const { launcher, handles: stored } = workspace.store.runs.submission<JobHandle>(run.id)
  const { storagePath, attempt, groupCount } = intent
  // Those of version 0.1 are of whole runs.
  const whole = { first: 0, count: groupCount, attempt: 1, indices: null }
  const handles = stored.map(handle => ({ ...whole, ...handle, storagePath }))
  const [earlier, last] = [
    handles.filter(each => each.attempt < attempt),
    handles.filter(each => each.attempt === attempt),
  ]
  if (last.reduce((sum, { count }) => sum + count, 0) >= launchedCount(intent)) return { handles, state: 'complete' }
  const program = launcher as ProcessIdentity | null
  if (program && (!isHere(program) || isAlive(program))) return { handles, state: 'partial' }
  try {
    const found = await workspace.findRunner(run.runner).find(intent, graceOf(workspace.config))
    faultPoint('refresh-found')
    const all = [...earlier, ...found.handles]
    if (all.length > handles.length) storeHandles(workspace, run.id, all)
    return { handles: all, state: found.final ? 'complete' : 'partial' }
  } catch (error) {
    // A scheduler that does not answer changes nothing.
    if (error instanceof SchedulerError) return { handles, state: 'partial' }
    throw error
  }
}

/** What the user knows the submissions of the last launch of a run by; empty where nobody else has them. */
export function describeSubmissions(workspace: Workspace, run: Run): string {
  const { handles, retries } = workspace.store.runs.submission<JobHandle>(run.id)
  const attempt = retries.at(-1)?.attempt ?? 1
  return workspace.findRunner(run.runner).describe(handles.filter(handle => handle.attempt === attempt))
}
