import type { Run } from '../../domain/runs/run.js'
import { secretsFile } from '../../runfolder/layout.js'
import { holdsRun } from '../../runfolder/record.js'
import { removeSecrets } from '../../runfolder/secrets/secrets-file.js'
import { exists } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Removes the secrets of a run that is over, or is being deleted. Another folder in the place of its own is left alone. */
export function forgetSecrets(workspace: Workspace, run: Run): void {
  const folder = absolutePath(workspace, run.storagePath)
  const { token, attempts } = workspace.store.runs.submission(run.id)
  const left = attempts.map(({ attempt }) => attempt).filter(attempt => exists(`${folder}/${secretsFile(attempt)}`))
  if (left.length > 0 && holdsRun(folder, token)) removeSecrets(folder, left)
}
