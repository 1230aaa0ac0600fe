import { totalOf } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import type { JobHandle } from '../runners/types.js'
import { isAlive, isHere, type ProcessIdentity } from '../system/process-identity.js'
import { absolutePath, storedPath, type Workspace } from './workspace.js'

/** Stores the submissions of a run; their folder as the project stores paths, since a project can be moved. */
export function storeHandles(workspace: Workspace, id: number, handles: readonly JobHandle[]): void {
  const { store } = workspace
  const stored = handles.map(handle => ({ ...handle, storagePath: storedPath(workspace, handle.storagePath) }))
  store.transaction(() => store.runs.setHandles(id, stored))
}

/** What is known of a run's submissions. */
export type Submissions =
  | { readonly kind: 'submitted'; readonly handles: readonly JobHandle[] }
  /** The program that launches it is still at it, or is on another host and cannot be asked from here. */
  | { readonly kind: 'launching' }
  /** That program has died before it submitted anything. */
  | { readonly kind: 'nothing' }

/** The submissions of a run. Those of a launch that died are looked for, and stored once found. */
export async function submissionsOf(workspace: Workspace, run: Run): Promise<Submissions> {
  const { token, launcher, handles } = workspace.store.runs.submission<JobHandle>(run.id)
  const storagePath = absolutePath(workspace, run.storagePath)
  if (handles.length > 0) return { kind: 'submitted', handles: handles.map(handle => ({ ...handle, storagePath })) }
  const program = launcher as ProcessIdentity | null
  if (program && (!isHere(program) || isAlive(program))) return { kind: 'launching' }
  const found = await workspace.findRunner(run.runner).find({ token, storagePath, groupCount: totalOf(run.counts) })
  if (found.length === 0) return { kind: 'nothing' }
  storeHandles(workspace, run.id, found)
  return { kind: 'submitted', handles: found }
}
