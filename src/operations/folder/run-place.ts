import { basename, dirname, join } from 'node:path'
import { UserError } from '../../errors.js'
import { isInside, withoutLinks } from '../../runfolder/storage-path.js'
import type { Place } from '../../store/rows/run-rows.js'
import { absolutePath, resultFolder, storedPath, type Workspace } from '../workspace.js'

/**
 * The folders of runs, also of deleted ones, never lie in each other: with the outer one, the inner one would be read, moved
 * and deleted.
 * @param given absolute folder for a new run, which need not exist; null for one in the folder of its experiment
 * @throws UserError if it would lie in the folder of another run, or around it
 */
export function refuseNested(workspace: Workspace, experiment: string, given: string | null): void {
  const { runs } = workspace.store
  if (given !== null) {
    refuseGiven(workspace, given)
    return
  }
  const folder = storedPath(workspace, join(resultFolder(workspace), experiment))
  const outer = runs.places(folder).find(({ storagePath }) => isInside(folder, storagePath))
  if (!outer) return
  throw new UserError(
    `the runs of ${experiment} would lie in the folder of ${nameOf(outer)}`,
    `qanat run --storage_path FOLDER …        stores this one outside of the folders of other runs`,
  )
}

function refuseGiven(workspace: Workspace, folder: string): void {
  const { runs, experiments } = workspace.store
  const real = withoutLinks(folder)
  for (const place of runs.places()) {
    const other = withoutLinks(absolutePath(workspace, place.storagePath))
    const relation = other === real ? 'is' : isInside(real, other) ? 'lies in' : isInside(other, real) && 'would hold'
    // The former place of a deleted run is free.
    if (!relation || (relation === 'is' && place.deleted)) continue
    throw new UserError(
      `--storage_path ${folder} ${relation} the folder of ${nameOf(place)}`,
      'name a folder outside of those of other runs',
    )
  }
  const [parent, experiment] = [dirname(real), basename(real)]
  if (parent === withoutLinks(resultFolder(workspace)) && experiments.find(experiment)) {
    throw new UserError(
      `--storage_path ${folder} is used for all runs of ${experiment}`,
      `name a folder inside it: --storage_path ${join(folder, 'NAME')}`,
    )
  }
}

function nameOf({ id, storagePath, deleted }: Place): string {
  return `${deleted ? 'the deleted run' : 'run'} ${id}, ${storagePath}${deleted ? ', as long as it is in the trash' : ''}`
}
