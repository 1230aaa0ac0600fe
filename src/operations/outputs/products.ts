import { join } from 'node:path'
import type { DataFile } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { exportFolders } from '../registry/export-folders.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** By how many milliseconds the clocks of file servers may be ahead of the one here. */
const clockError = 1_000

/**
 * Says which files in the folder of a run are none of what its groups have left: those that actions on it have made, and what
 * documents export there. A file that was written again after the action belongs to who wrote it.
 * @returns a function of a file, with its path relative to the folder of the run
 */
export function productsIn(workspace: Workspace, run: Run): (file: Pick<DataFile, 'path' | 'mtime'>) => boolean {
  const folder = absolutePath(workspace, run.storagePath)
  const exported = exportFolders(workspace).filter(path => path.startsWith(`${folder}/`))
  const written = new Map<string, number>()
  const { actions } = workspace.store
  // Most runs have none, which is found out faster.
  const calls = actions.calls(run.id).length === 0 ? [] : actions.list(run.id).reverse()
  for (const { made, finished } of calls) {
    for (const { path, change } of made) {
      const place = absolutePath(workspace, path)
      if (change === 'made' || (change === 'changed' && written.has(place))) written.set(place, finished ?? 0)
    }
  }
  return ({ path, mtime }) => {
    const place = join(folder, path)
    const end = written.get(place)
    return (end !== undefined && (mtime ?? 0) <= end + clockError) || exported.some(top => place.startsWith(`${top}/`))
  }
}
