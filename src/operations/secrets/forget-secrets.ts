import type { Run } from '../../domain/runs/run.js'
import { forgetSecretsOf } from '../../runfolder/secrets/secrets-file.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Removes the secrets of a run that is over, or is being deleted. Another folder in the place of its own is left alone. */
export function forgetSecrets(workspace: Workspace, run: Run): void {
  const { token, attempts } = workspace.store.runs.submission(run.id)
  const numbers = attempts.map(({ attempt }) => attempt)
  forgetSecretsOf(absolutePath(workspace, run.storagePath), token, numbers)
}
