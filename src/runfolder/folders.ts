import { existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type GroupsWithoutFiles, groupFolder } from '../domain/runs/run-plan.js'
import { type Change, changeFolder } from '../system/folders/changes.js'
import type { ReadFolder } from './files/presence.js'
import { entriesIn } from './metrics/fitting-files.js'
import { type RunRecord, readRecord } from './record.js'
import { trashFolder } from './trash.js'

/** A folder that may be that of a run. */
export interface RunFolder {
  /** Absolute. */
  readonly folder: string
  /** The record of its run; null if there is none that can be read. */
  readonly recorded: RunRecord | null
}

/**
 * The folders of runs in a result folder, which need not exist. Links are not followed, and what lies in the folder of a run
 * is a part of that one.
 * @param results absolute
 */
export function runFoldersIn(results: string): RunFolder[] {
  return foldersIn(results)
    .filter(name => !existsSync(join(results, name, '.run')))
    .flatMap(experiment => foldersIn(join(results, experiment)).map(name => join(results, experiment, name)))
    .filter(folder => /\/run_[1-9]\d*$/.test(folder))
    .map(runFolderAt)
}

/** @param folder absolute */
export function runFolderAt(folder: string): RunFolder {
  return { folder, recorded: readRecord(folder) }
}

/** The folders of deleted runs in the trash of a result folder. Links are not followed. @param results absolute */
export function trashedFoldersIn(results: string): RunFolder[] {
  return foldersIn(trashFolder(results))
    .map(name => join(trashFolder(results), name))
    .map(runFolderAt)
}

function foldersIn(folder: string): string[] {
  if (isGone(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(entry => entry.name)
}

/** The highest number of a run's folder in a result folder; 0 if there is none. */
export function highestRunId(results: string): number {
  if (!existsSync(results)) return 0
  const folders = readdirSync(results, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const paths = folders.flatMap(({ name }) => readdirSync(join(results, name)).map(run => join(results, name, run)))
  const numbered = paths.map(path => ({ path, id: Number(/\/run_(\d{1,9})$/.exec(path)?.[1] ?? 0) }))
  const taken = numbered.filter(({ id, path }) => id > 0 && isTaken(path))
  return taken.reduce((highest, { id }) => Math.max(highest, id), 0)
}

/**
 * True if the folder of a new run exists already. A folder that holds only an empty `.run` was left by a launch that died
 * before it stored its run: it may be used again. Call it while no other program can make one.
 */
export function isTaken(folder: string): boolean {
  if (!existsSync(folder)) return false
  const isHalfMade = statSync(folder).isDirectory() && readdirSync(folder).join() === '.run'
  return !isHalfMade || readdirSync(join(folder, '.run')).length > 0
}

/** True if nothing is in the place of a run's folder, not even a broken link. */
export function isGone(folder: string): boolean {
  return !lstatSync(folder, { throwIfNoEntry: false })
}

/**
 * Finds the groups of a run whose files cannot be read. Files that a mirror lacks may still be fetched.
 * @param total how many groups it has
 */
export function groupsWithoutFiles({ path, isMirror }: ReadFolder, total: number): GroupsWithoutFiles {
  const gone: number[] = []
  const unreadable: number[] = []
  for (let index = 0; index < total; index++) {
    try {
      if (entriesIn(groupFolder(path, total, index)) === null) (isMirror ? unreadable : gone).push(index)
    } catch {
      unreadable.push(index)
    }
  }
  return { gone, unreadable }
}

/**
 * Makes the folder of a new run, with `.run`.
 * @returns the topmost folder that did not exist before, absolute
 */
export function makeRunFolder(folder: string): string {
  const records = join(folder, '.run')
  return makeFolders(records) ?? records
}

/**
 * Makes a folder and those above it, like `mkdirSync` with `recursive`, which never returns where nothing can be made (in
 * /proc, for example).
 * @returns the topmost folder that did not exist before; null if all did
 */
export function makeFolders(folder: string): string | null {
  if (existsSync(folder)) return null
  const made = makeFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another launch may have made it just now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return made ?? folder
}

/** Changes in a folder, which may be one around that of a run. */
interface FolderChanges {
  /** Absolute. */
  readonly folder: string
  readonly changes: readonly Change[]
}

/**
 * What removes the folder of a run whose launch failed. If the folder existed before, only our own files are removed from it.
 * @param made the topmost folder that was made for it, absolute; folders above the run's are removed if they are empty
 */
export function removalOf(folder: string, made: string, groupCount: number): FolderChanges {
  if (made.startsWith(`${folder}/`)) {
    const groups =
      groupCount > 1 ? Array.from({ length: groupCount }, (_, index) => groupFolder('.', groupCount, index)) : []
    return { folder, changes: [...ownNames, ...groups].map(remove => ({ remove })) }
  }
  const above: string[] = []
  for (let each = folder; each !== made; above.push(each)) each = dirname(each)
  const empty = above.map(each => ({ removeEmpty: relative(made, each) }))
  return { folder: made, changes: [{ remove: relative(made, folder) }, ...empty] }
}

const ownNames = ['.run', 'info.yaml', 'group_info.yaml', 'stdout.txt', 'stderr.txt']

/** The same at once, for a run of which nothing is anywhere else yet. */
export function removeRunFolder(...run: Parameters<typeof removalOf>): void {
  const { folder, changes } = removalOf(...run)
  changeFolder(folder, changes)
}
