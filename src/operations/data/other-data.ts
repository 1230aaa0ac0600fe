import type { Run } from '../../domain/runs/run.js'
import { addWarnings, warningsIn } from '../../runfolder/warnings.js'
import { absolutePath, type Workspace } from '../workspace.js'

const noted = /^attempt \d+: dataset /

/** Keeps with a run that an attempt reads other data than the run has recorded. @param changes a sentence for each dataset */
export function noteOtherData(workspace: Workspace, { storagePath }: Run, attempt: number, changes: readonly string[]) {
  addWarnings(
    absolutePath(workspace, storagePath),
    changes.map(text => `attempt ${attempt}: ${text}`),
  )
}

/** Which attempts of runs have read other data than is recorded, a sentence each. */
export function otherData(workspace: Workspace, runs: readonly Run[]): string[] {
  const retried = new Set(workspace.store.attempts.retried())
  return runs
    .filter(({ id }) => retried.has(id))
    .flatMap(({ id, storagePath }) =>
      warningsIn(absolutePath(workspace, storagePath))
        .filter(text => noted.test(text))
        .map(text => `run ${id}, ${text}`),
    )
}
