import type { ListedAction } from '../../domain/action-record.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'
import { actionState } from './action-recording.js'

/** The actions on a run, or on all runs, the newest first. */
export function listActions({ store }: Workspace, run: Run | null): ListedAction[] {
  return store.actions.list(run?.id ?? null).map(record => ({ ...record, state: actionState(record) }))
}
