import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RunRecord, readRecord } from './record.js'

/** A folder among the results that has the name of a run's folder. */
export interface RunFolder {
  /** Absolute. */
  readonly folder: string
  /** What it says of its run; null where it says nothing that can be read. */
  readonly recorded: RunRecord | null
}

/** The folders of runs in a result folder, which need not be there. Links are not followed. @param results absolute */
export function runFoldersIn(results: string): RunFolder[] {
  return foldersIn(results)
    .flatMap(experiment => foldersIn(join(results, experiment)).map(name => join(results, experiment, name)))
    .filter(folder => /\/run_[1-9]\d*$/.test(folder))
    .map(folder => ({ folder, recorded: readRecord(folder) }))
}

function foldersIn(folder: string): string[] {
  if (isGone(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(entry => entry.name)
}

/** The highest number of a run's folder in a result folder, 0 where there is none. */
export function highestRunId(results: string): number {
  if (!existsSync(results)) return 0
  const folders = readdirSync(results, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const paths = folders.flatMap(({ name }) => readdirSync(join(results, name)).map(run => join(results, name, run)))
  const numbered = paths.map(path => ({ path, id: Number(/\/run_(\d{1,9})$/.exec(path)?.[1] ?? 0) }))
  const taken = numbered.filter(({ id, path }) => id > 0 && isTaken(path))
  return taken.reduce((highest, { id }) => Math.max(highest, id), 0)
}

/**
 * True where the place of a new run's folder is taken. A folder that holds only an empty `.run` was left by a launch that
 * died before it stored its run: it may be used again. Call it where nobody else can be making one.
 */
export function isTaken(folder: string): boolean {
  if (!existsSync(folder)) return false
  const isHalfMade = statSync(folder).isDirectory() && readdirSync(folder).join() === '.run'
  return !isHalfMade || readdirSync(join(folder, '.run')).length > 0
}

/** True where nothing is in the place of a run's folder, not even a link that leads nowhere. */
export function isGone(folder: string): boolean {
  return !lstatSync(folder, { throwIfNoEntry: false })
}

/** Makes the folder of a new run, with what is ours in it. */
export function makeRunFolder(folder: string): void {
  mkdirSync(join(folder, '.run'), { recursive: true })
}

/** Removes the folder of a run whose launch failed, with all that is in it. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes only what is ours from the folder of a run whose launch failed: the folder is the user's. */
export function removeOwnFiles(folder: string): void {
  rmSync(join(folder, '.run'), { recursive: true, force: true })
}
