import type { Run } from '../../domain/runs/run.js'
import { removeSecrets } from '../../runfolder/secrets/secrets-file.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Removes the secrets of a run that is over, or is being deleted. */
export function forgetSecrets(workspace: Workspace, run: Run): void {
  const { attempts } = workspace.store.runs.submission(run.id)
  removeSecrets(
    absolutePath(workspace, run.storagePath),
    attempts.map(({ attempt }) => attempt),
  )
}
