import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openGit } from '../../code/git.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
import { UserError } from '../../errors.js'
import { faultPoint } from '../../system/fault-point.js'
import { refuseLink } from '../../system/files.js'
import { explainFolder, runReference } from '../launch/run-record.js'
import { findRun } from '../registry/find-experiment.js'
import { absolutePath, resultFolder, type Workspace } from '../workspace.js'
import { cancelRun } from './cancel-run.js'
import { refreshRun } from './refresh-runs.js'
import { holdsRun } from './run-files.js'

/** Where deleted runs are until the cache is cleaned: in the result folder, so that it takes a rename. Absolute. */
export function trashFolder(workspace: Workspace): string {
  return join(resultFolder(workspace), '.trash')
}

/** The runs of an experiment that words name, as in `3 5-9`. @throws UserError for what is no id of a run of it */
export function findRuns(workspace: Workspace, experiment: string, words: readonly string[]): Run[] {
  const known = workspace.store.runs.listOf(experiment).map(run => run.id)
  return readRunIds(words, known).map(id => findRun(workspace, experiment, id))
}

/**
 * Deletes a run, after ending what lives of it: its folder goes to the trash, from which it can be taken back. A folder
 * outside the project's result folder, or what is in its place now, is left alone, with a warning.
 */
export async function deleteRun(workspace: Workspace, run: Run): Promise<void> {
  const { store } = workspace
  const current = await refreshRun(workspace, run)
  if (!isOver(current.counts)) await cancelRun(workspace, current)
  faultPoint('delete-begin')
  const folder = absolutePath(workspace, run.storagePath)
  const { token } = store.runs.submission(run.id)
  const left = existsSync(folder) && !isOurs(workspace, folder, token) ? folder : null
  refuseLink(trashFolder(workspace))
  // In this order a crash leaves no run in the lists whose files are in the trash.
  store.transaction(() => store.runs.setDeleted(run.id, true))
  faultPoint('delete-marked')
  try {
    moveToTrash(workspace, { ...run, token })
  } catch (error) {
    store.transaction(() => store.runs.setDeleted(run.id, false))
    throw error
  }
  faultPoint('delete-moved')
  if (left)
    workspace.warn(`${left} is not a folder that the run made in the project's results and was left where it is`)
}

/** Moves the folder of a run that was deleted, unless that is done or the folder is not ours. */
function moveToTrash(workspace: Workspace, { id, storagePath, token }: DeletedRun): void {
  const folder = absolutePath(workspace, storagePath)
  if (existsSync(folder) && isOurs(workspace, folder, token)) move(folder, join(trashFolder(workspace), `run_${id}`))
}

/** What the trash is told by. */
interface DeletedRun {
  readonly id: number
  readonly storagePath: string
  readonly token: string
}

/** Deletes for good what was deleted, but nothing else that is in the trash or where a link leads. @returns how many runs */
export async function emptyTrash(workspace: Workspace): Promise<number> {
  const { store, project } = workspace
  const deleted = store.runs.deleted()
  for (const run of deleted) moveToTrash(workspace, run)
  faultPoint('trash-begin')
  for (const run of deleted) discard(workspace, run)
  if (existsSync(trashFolder(workspace)) && readdirSync(trashFolder(workspace)).length === 0) {
    rmSync(trashFolder(workspace), { recursive: true })
  }
  faultPoint('trash-removed')
  const git = await openGit(project.root)
  for (const { token } of deleted) await git.run('update-ref', '-d', runReference(token))
  faultPoint('trash-references')
  store.transaction(() => {
    for (const { id } of deleted) store.runs.delete(id)
  })
  return deleted.length
}

/** Deletes the files of a deleted run for good. */
export function discard(workspace: Workspace, { id, token }: { readonly id: number; readonly token: string }): void {
  const folder = join(trashFolder(workspace), `run_${id}`)
  if (existsSync(folder) && isOurs(workspace, folder, token)) rmSync(folder, { recursive: true, force: true })
}

/**
 * Takes back the deleted runs of an experiment that words name, one after the other.
 * @throws UserError for one that is not in the trash, or whose place is taken
 */
export function* restoreRuns(workspace: Workspace, experiment: string, words: readonly string[]): Generator<Run> {
  const known = workspace.store.runs.deleted().map(run => run.id)
  for (const id of readRunIds(words, known)) yield restoreRun(workspace, experiment, id)
}

/** Takes a run back that was deleted. @throws UserError where it is not in the trash, or its place is taken */
function restoreRun(workspace: Workspace, experiment: string, id: string): Run {
  const { store } = workspace
  const deleted = store.runs.deleted().filter(run => run.experiment === experiment)
  const run = deleted.find(candidate => String(candidate.id) === id)
  if (!run) {
    const there = deleted.length > 0 ? `there are ${deleted.map(each => each.id).join(', ')}` : 'there is none of it'
    throw new UserError(
      `run ${id} of ${experiment} is not in the trash: ${there}`,
      'what qanat cache clean has removed is gone for good',
    )
  }
  const folder = absolutePath(workspace, run.storagePath)
  const trashed = join(trashFolder(workspace), `run_${run.id}`)
  refuseLink(trashFolder(workspace))
  if (existsSync(folder) && existsSync(trashed)) {
    throw new UserError(`there is something else in its place: ${run.storagePath}`, 'move that away, and try again')
  }
  move(trashed, folder)
  faultPoint('restore-moved')
  store.transaction(() => store.runs.setDeleted(run.id, false))
  return store.runs.find(run.id)!
}

function move(from: string, to: string): void {
  if (!existsSync(from)) return
  try {
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  } catch (error) {
    throw explainFolder(error, from)
  }
}

/** The folder of that run, reached without any link below the result folder (which may be one itself). */
function isOurs(workspace: Workspace, folder: string, token: string): boolean {
  const results = resultFolder(workspace)
  if (!existsSync(results) || lstatSync(folder).isSymbolicLink() || !folder.startsWith(`${results}/`)) return false
  const isReal = realpathSync(folder) === join(realpathSync(results), folder.slice(results.length))
  return isReal && holdsRun(folder, token)
}
