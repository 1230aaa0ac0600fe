import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOver } from '../domain/aggregate.js'
import type { Run } from '../domain/run.js'
import { openGit } from '../system/git.js'
import { cancelRun } from './cancel-run.js'
import { refreshRun } from './refresh-runs.js'
import { explainFolder, runReference } from './run-record.js'
import { absolutePath, resultFolder, type Workspace } from './workspace.js'

/**
 * Deletes a run and its folder, after ending what lives of it. A folder outside the project's result folder, or a
 * link in its place, is left alone.
 * @returns the folder that was left, null where none was
 */
export async function deleteRun(workspace: Workspace, run: Run): Promise<string | null> {
  const { store, project } = workspace
  const current = await refreshRun(workspace, run)
  if (!isOver(current.counts)) await cancelRun(workspace, current)
  const { token } = store.runs.submission(run.id)
  const folder = absolutePath(workspace, run.storagePath)
  const left = existsSync(folder) && !isOurs(workspace, folder) ? folder : null
  if (left === null) removeFolder(folder)
  store.transaction(() => store.runs.delete(run.id))
  const git = await openGit(project.root)
  await git.run('update-ref', '-d', runReference(token))
  return left
}

/** Moved aside first: a deletion that is cut short leaves no run that looks whole. */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return
  const aside = join(dirname(folder), `.deleted_${basename(folder)}`)
  try {
    renameSync(folder, aside)
    rmSync(aside, { recursive: true })
  } catch (error) {
    throw explainFolder(error, folder)
  }
}

/** A real folder, reached without any link below the result folder (which may be one itself). */
function isOurs(workspace: Workspace, folder: string): boolean {
  const results = resultFolder(workspace)
  if (!existsSync(results) || lstatSync(folder).isSymbolicLink() || !folder.startsWith(`${results}/`)) return false
  return realpathSync(folder) === join(realpathSync(results), folder.slice(results.length))
}
