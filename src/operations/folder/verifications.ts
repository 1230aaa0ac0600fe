import type { KeptVerification } from '../../domain/results/reproduced.js'
import type { Run } from '../../domain/runs/run.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { verificationsIn } from '../../runfolder/notes/verifications.js'
import { readFolder, type Workspace } from '../workspace.js'

/** How a run compared with those that it was compared with, the oldest first. If its folder is not there, theirs tell. */
export function verificationsOf(workspace: Workspace, run: Run): KeptVerification[] {
  const { runs } = workspace.store
  const { id, experiment, rerunOf } = run
  const folder = readFolder(workspace, run)
  if (presenceOf(folder) === 'there') return verificationsIn(folder.path)
  const others = runs.listOf(experiment).filter(other => other.rerunOf === id || other.id === rerunOf)
  return others
    .flatMap(other => verificationsIn(readFolder(workspace, other).path))
    .filter(each => each.run === id || each.again === id)
}
