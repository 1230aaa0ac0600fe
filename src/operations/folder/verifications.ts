import type { KeptVerification } from '../../domain/results/reproduced.js'
import type { Run } from '../../domain/runs/run.js'
import { verificationsIn } from '../../runfolder/notes/verifications.js'
import { exists } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** How a run compared with those that it was compared with, the oldest first. If its folder is gone, theirs tell. */
export function verificationsOf(
  workspace: Workspace,
  { id, storagePath, experiment, rerunOf }: Run,
): KeptVerification[] {
  const { runs } = workspace.store
  const folder = absolutePath(workspace, storagePath)
  if (exists(folder)) return verificationsIn(folder)
  const others = runs.listOf(experiment).filter(other => other.rerunOf === id || other.id === rerunOf)
  return others
    .flatMap(other => verificationsIn(absolutePath(workspace, other.storagePath)))
    .filter(({ run, again }) => run === id || again === id)
}
