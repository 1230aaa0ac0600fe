import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isOver } from '../../domain/runs/aggregate.js'
import type { GroupReport } from '../../domain/runs/run.js'
import { type RecordedRun, readRunYaml } from '../../runfolder/record.js'
import { refreshRuns } from '../runs/refresh-runs.js'
import { writeRunYaml } from '../runs/run-files.js'
import { absolutePath, resultFolder, storedPath, type Workspace } from '../workspace.js'

/** A folder among the results that is called as those of runs are. */
export interface RunFolder {
  /** Absolute. */
  readonly folder: string
  /** What it says of its run; null where it says nothing that can be read. */
  readonly recorded: RecordedRun | null
}

/** The folders of runs in the result folder. Links are not followed. */
export function runFolders(workspace: Workspace): RunFolder[] {
  const results = resultFolder(workspace)
  return foldersIn(results)
    .flatMap(experiment => foldersIn(join(results, experiment)).map(name => join(results, experiment, name)))
    .filter(folder => /\/run_[1-9]\d*$/.test(folder))
    .map(folder => ({ folder, recorded: readRunYaml(folder) }))
}

function foldersIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(entry => entry.name)
}

/** What became of the runs in the result folder. */
export interface Rebuilt {
  /** Ids of runs that were put back into the database. */
  readonly taken: readonly number[]
  /** Of runs whose folder is in another place than it was. */
  readonly moved: readonly number[]
  /** Of runs whose `run.yaml` was written again. */
  readonly renewed: readonly number[]
}

/** Puts runs back that have a folder and no row, follows folders that were moved, and writes lost `run.yaml` again. */
export async function rebuildRuns(workspace: Workspace): Promise<Rebuilt> {
  const { store } = workspace
  const folders = runFolders(workspace)
  const recorded = folders.flatMap(({ folder, recorded: run }) => (run ? [{ folder, run }] : []))
  const moved = recorded.filter(({ folder, run }) => store.transaction(() => follow(workspace, folder, run)))
  const taken = recorded.filter(({ folder, run }) => store.transaction(() => takeIn(workspace, folder, run)))
  const runs = taken.map(({ run }) => store.runs.find(run.id)!)
  await refreshRuns(workspace, runs)
  for (const { run } of taken) finish(workspace, run)
  const silent = folders.filter(({ recorded: run }) => run === null).map(({ folder }) => folder)
  const renewed = store.runs.list().filter(run => silent.includes(absolutePath(workspace, run.storagePath)))
  for (const { id } of [...renewed, ...runs]) writeRunYaml(workspace, id)
  const ids = (of: readonly { run: RecordedRun }[]) => of.map(({ run }) => run.id).sort((a, b) => a - b)
  return { taken: ids(taken), moved: ids(moved), renewed: renewed.map(({ id }) => id) }
}

/** @returns whether the folder of that run had another place before */
function follow(workspace: Workspace, folder: string, { launch }: RecordedRun): boolean {
  const place = placeOf(workspace, launch.token)
  if (!place || place.deleted) return false
  if (lstatSync(absolutePath(workspace, place.storagePath), { throwIfNoEntry: false })) return false
  workspace.store.runs.setStoragePath(place.id, storedPath(workspace, folder))
  return true
}

/** @returns whether the run had no row */
function takeIn(workspace: Workspace, folder: string, run: RecordedRun): boolean {
  const { store } = workspace
  if (placeOf(workspace, run.launch.token)) return false
  const other = store.runs.places().find(place => place.id === run.id)
  if (other) {
    workspace.warn(
      `${storedPath(workspace, folder)} was left out: run ${run.id} is another one, of ${other.experiment}`,
    )
    return false
  }
  registerExperimentOf(workspace, run)
  const { launch, groups, groupCount } = run
  store.runs.insert(run.id, { ...run, storagePath: storedPath(workspace, folder), groupCount }, launch)
  store.runs.update(run.id, groups, null, run.launched)
  return true
}

function placeOf({ store }: Workspace, token: string) {
  return store.runs.places().find(place => place.token === token)
}

/** As it was when the run was launched, unless there is one of that name. */
function registerExperimentOf({ store }: Workspace, { experiment, launch, frozen }: RecordedRun): void {
  if (store.experiments.find(experiment)) return
  for (const [index, name] of launch.experiment.datasets.entries()) {
    // What git tracks was read from the frozen copy, which has it at the same place.
    const path = launch.datasetPaths[index]?.replace(frozen ? `${frozen}/` : '', '') ?? ''
    if (!store.datasets.find(name)) store.datasets.insert({ name, description: '', path, tags: [] })
  }
  store.experiments.insert({ ...launch.experiment, name: experiment })
}

/** Of a run that was over on record, the groups that did not fail have finished, even where nobody can tell any more. */
function finish({ store }: Workspace, { id, counts, groupCount, groups }: RecordedRun): void {
  if (!isOver(counts) || groups.length !== counts.failed + counts.cancelled + counts.lost) return
  const failed = new Set(groups.map(({ index }) => index))
  const known = new Map(store.runs.groups(id).map(({ index, status }) => [index, status.state]))
  const end = { started: null, finished: null, host: null, jobId: null }
  const finished: GroupReport[] = Array.from({ length: groupCount }, (_, index) => index)
    .filter(index => !failed.has(index) && known.get(index) !== 'finished')
    .map(index => ({ index, status: { state: 'finished', exitCode: 0, ...end } }))
  if (finished.length > 0) store.transaction(() => store.runs.update(id, finished, 100, store.runs.find(id)!.asOf))
}
