import type { DataFile } from '../../domain/data/fingerprint.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupOfFile } from '../../domain/runs/run-plan.js'
import { isOutput } from '../../runfolder/files/outputs.js'
import type { Workspace } from '../workspace.js'
import { outputsOf } from './outputs.js'

/**
 * Says why a file in the folder of a run is perhaps not what a group has left; null if nothing speaks against it.
 * @param byTime whether another time alone is a reason: all files of a copied project have other times
 * @returns a function of the file as it is now, with its path relative to the folder of the run
 */
export function doubts(workspace: Workspace, run: Run, byTime: boolean): (file: DataFile) => string | null {
  const total = totalOf(run.counts)
  const kept = isOver(run.counts) ? outputsOf(workspace, run) : null
  const files = new Map((kept?.files ?? []).map(file => [file.path, file]))
  const changed = `it has changed since run ${run.id} ended`
  return ({ path, size, mtime, hash }) => {
    const isInGroup = groupOfFile(total, path) !== null
    if (!isOutput(isInGroup && total > 1 ? path.slice(path.indexOf('/') + 1) : path)) return null
    if (!isInGroup) return 'it is in the folder of the run, but in that of no group'
    const known = files.get(path)
    if (!known) return kept?.partial === null ? `it was not there when run ${run.id} ended` : null
    if (known.size !== size) return `${changed}: it had ${known.size.toLocaleString('en-US')} B then`
    if (known.hash !== null) return known.hash === hash ? null : changed
    return byTime && known.mtime !== mtime ? `it may have changed since run ${run.id} ended` : null
  }
}
