import { join, resolve } from 'node:path'
import { findCopy } from '../../code/frozen/frozen-code.js'
import { sharedSince } from '../../code/frozen/frozen-copies.js'
import { writtenBeside } from '../../code/frozen/ignored-paths.js'
import { type CopyState, isKeptFor, markKept, moveBack, moveLeft } from '../../code/frozen/left-behind.js'
import { wordsOfGrid } from '../../domain/parameters/grid.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { leftBehindFolders, newLeftBehindFolder } from '../../runfolder/files/left-behind.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { addWarning } from '../../runfolder/warnings.js'
import { ifProjectLockIsFree } from '../../store/locks/project-lock.js'
import { faultPoint } from '../../system/fault-point.js'
import { renewRunYaml } from '../folder/run-files.js'
import { absolutePath, readFolder, storedPath, type Workspace } from '../workspace.js'

/**
 * At the end of a run, compares its frozen copy with the commit, and moves files that its scripts have left there to the
 * run, so that the next run in the copy does not see them. If another command keeps the lock of the copies, this is left
 * to the next launch in the copy.
 */
export async function settleCopy(workspace: Workspace, run: Run): Promise<void> {
  const { frozen } = run
  // A copy in a context is compared with the commit by the launch that uses it next.
  if (frozen === null || !hasEnded(run) || readFolder(workspace, run).isMirror) return
  await ifProjectLockIsFree(workspace.project, 'code', async () => {
    if (workspace.store.runs.live().some(other => other.frozen === frozen)) return
    noteBeside(workspace, run)
    noteLinked(workspace, run, absolutePath(workspace, frozen))
    const state = await findCopy(workspace.project.root, absolutePath(workspace, frozen))
    if (state) take(workspace, run, frozen, state)
    // A script may have removed what makes it a checkout.
    else if (!run.codeChanged) workspace.store.transaction(() => workspace.store.runs.setCodeChanged(run.id, null))
  })
}

/**
 * The same for the run that ended last in an idle copy. Call with the lock of the copies held.
 * @param frozen the copy as it is stored
 * @returns true if nothing is left in the copy
 */
export function settleLastRun(workspace: Workspace, frozen: string, state: CopyState): boolean {
  const run = state.changed || state.left.length > 0 ? workspace.store.runs.lastIn(frozen) : null
  if (!run || !hasEnded(run)) return state.left.length === 0
  const isTaken = take(workspace, run, frozen, state)
  renewRunYaml(workspace, run.id)
  return isTaken
}

/** Keeps with a run what was written as `../NAME` while it ran: other runs find it there, as they would in the tree. */
function noteBeside(workspace: Workspace, { launched, storagePath }: Run): void {
  const { cacheFolder } = workspace.project
  const folder = absolutePath(workspace, storagePath)
  const names = writtenBeside(cacheFolder, launched)
  if (names.length === 0) return
  const places = names.map(name => `../${name} → ${storedPath(workspace, join(cacheFolder, name))}`)
  addWarning(folder, `scripts wrote beside the frozen copy while the run ran: ${fewOf(places)}`)
}

/** More words of a grid are not looked at. */
const mostWords = 1_000

/**
 * Keeps with a run which files that its arguments name have changed while it ran: to what git ignores, the copy has links,
 * so that groups that started later have read something else.
 */
function noteLinked({ project, store }: Workspace, { id, launched, storagePath }: Run, copy: string): void {
  const words = [...wordsOfGrid(store.runs.launch(id).grid)].slice(0, mostWords)
  const paths = new Set(words.map(word => word.replace(/^-[^=]*=/, '')))
  const changed = sharedSince(project.root, copy, [...paths], launched)
  if (changed.length > 0)
    addWarning(
      resolve(project.root, storagePath),
      `files of the arguments, which the frozen copy shares with the tree, changed while the run ran: ${fewOf(changed)}`,
    )
}

function hasEnded({ counts }: Run): boolean {
  return isOver(counts) && counts.lost === 0
}

/** @returns true if nothing is left in the copy */
function take(workspace: Workspace, run: Run, frozen: string, { changed, left }: CopyState): boolean {
  const copy = absolutePath(workspace, frozen)
  const folder = absolutePath(workspace, run.storagePath)
  if (changed) workspace.store.transaction(() => workspace.store.runs.setCodeChanged(run.id, true))
  if (left.length === 0 || presenceOf(readFolder(workspace, run)) !== 'there') return left.length === 0
  const target = newLeftBehindFolder(folder)
  const stayed = moveLeft(copy, left, target)
  faultPoint('left-moved')
  if (stayed.length > 0) markKept(copy, run.id)
  const place =
    stayed.length > 0 ? `are in ${frozen}, on another file system` : `are in ${storedPath(workspace, target)} now`
  workspace.warn(`run ${run.id} wrote files to its frozen copy, which ${place}: ${fewOf(left)}`)
  return stayed.length === 0
}

/**
 * Moves what was left in the copies of a run back, to the one in which it goes on: its scripts continue from there. The
 * newest comes first.
 * @param copy absolute
 */
export function returnLeft(workspace: Workspace, run: Run, copy: string): void {
  for (const folder of leftBehindFolders(absolutePath(workspace, run.storagePath)).toReversed()) moveBack(folder, copy)
}

/** Where files lie that scripts of a run have left in its frozen copies, as paths are stored: usually nowhere. */
export function leftBehindOf(workspace: Workspace, { id, frozen, storagePath }: Run): string[] {
  const moved = leftBehindFolders(absolutePath(workspace, storagePath))
  const kept = frozen !== null && isKeptFor(absolutePath(workspace, frozen), id) ? [frozen] : []
  return [...moved.map(folder => storedPath(workspace, folder)), ...kept]
}
