import { isOver } from '../../domain/runs/aggregate.js'
import type { GroupReport } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { definitionFile } from '../../project/definitions.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { isGone, type RunFolder, runFolderAt, runFoldersIn, trashedFoldersIn } from '../../runfolder/folders.js'
import { readActions } from '../../runfolder/notes/actions.js'
import { type RunRecord, readRecord } from '../../runfolder/record.js'
import type { FormerRuns } from '../../store/database.js'
import { renewRunYaml } from '../folder/run-files.js'
import { refreshRuns } from '../refresh/refresh-runs.js'
import { goneProblem } from '../registry/read-definitions.js'
import { absolutePath, readFolder, resultFolder, runnerOf, storedPath, type Workspace } from '../workspace.js'

/** The folders of runs in the result folder. Links are not followed. */
export function runFolders(workspace: Pick<Workspace, 'project' | 'config'>): RunFolder[] {
  return runFoldersIn(resultFolder(workspace))
}

/** What was done with the folders of runs. */
export interface Rebuilt {
  /** Ids of runs that were added to the database. */
  readonly taken: readonly number[]
  /** Ids of deleted runs in the trash that were added to the database. */
  readonly deleted: readonly number[]
  /** Ids of runs whose folder was moved. */
  readonly moved: readonly number[]
  /** Ids of runs whose `run.yaml` was written again. */
  readonly renewed: readonly number[]
}

/**
 * Adds runs that have a folder and no row, updates the paths of moved folders, and writes lost or old `run.yaml` files again.
 * @param former the runs of a database that this one takes the place of
 */
export async function rebuildRuns(workspace: Workspace, former: FormerRuns['runs']): Promise<Rebuilt> {
  const { store } = workspace
  const folders = withFormerPlaces(workspace, runFolders(workspace), former)
  const recorded = folders
    .flatMap(({ folder, recorded: record }) => (record ? [{ folder, record }] : []))
    .sort(newestFirst)
  const { moved, taken } = putBack(workspace, recorded)
  const runs = taken.map(({ record }) => store.runs.get(record.id))
  await refreshRuns(workspace, runs)
  store.transaction(() => {
    for (const { record } of taken) finish(workspace, record)
  })
  const deleted = putBackDeleted(workspace)
  nameLost(workspace, former)
  const silent = folders.filter(({ recorded: record }) => record === null)
  const outdated = new Set([...silent, ...withFormerNames(workspace, folders)].map(({ folder }) => folder))
  const old = store.runs.list().filter(run => outdated.has(absolutePath(workspace, run.storagePath)))
  const renewed = old.filter(({ id }) => renewRunYaml(workspace, id))
  for (const { id } of runs) renewRunYaml(workspace, id)
  putBackActions(workspace, folders)
  const ids = (of: readonly Recorded[]) => of.map(({ record }) => record.id).sort((a, b) => a - b)
  return { taken: ids(taken), deleted: ids(deleted), moved: ids(moved), renewed: renewed.map(({ id }) => id) }
}

/** Adds the folders of former runs that were not in the result folder. */
function withFormerPlaces(
  workspace: Workspace,
  folders: readonly RunFolder[],
  former: FormerRuns['runs'],
): RunFolder[] {
  const found = new Set(folders.map(({ folder }) => folder))
  const places = former.map(({ storagePath }) => absolutePath(workspace, storagePath))
  const others = places.filter(path => !found.has(path) && !isGone(path))
  return [...others.map(runFolderAt), ...folders]
}

/** Names the runs whose folder, or record in it, is gone. */
function nameLost(workspace: Workspace, former: FormerRuns['runs']): void {
  const known = new Set(workspace.store.runs.places().map(({ token }) => token))
  const lost = former.filter(
    ({ token, storagePath }) => !known.has(token) && !readRecord(absolutePath(workspace, storagePath)),
  )
  if (lost.length === 0) return
  const places = fewOf(lost.map(({ id, storagePath }) => `run ${id} (${storagePath})`))
  workspace.warn(`left out, since .run/run.yaml in its folder is gone, not fetched or cannot be read: ${places}`)
}

/**
 * The folders of runs whose record has a former name of their experiment: the command that gave it another name was interrupted,
 * or could not write the record.
 */
export function withFormerNames(workspace: Workspace, folders: readonly RunFolder[]): RunFolder[] {
  const names = new Map(
    workspace.store.runs.places().map(place => [absolutePath(workspace, place.storagePath), place] as const),
  )
  return folders.filter(({ folder, recorded }) => {
    const place = names.get(folder)
    return place && !place.deleted && recorded?.launch.token === place.token && recorded.experiment !== place.experiment
  })
}

/** A folder with a readable record of its run. */
interface Recorded {
  /** Absolute. */
  readonly folder: string
  readonly record: RunRecord
}

/** The newest run knows best what its experiment is. A rerun only knows what it was. */
function newestFirst({ record: one }: Recorded, { record: other }: Recorded): number {
  return Number(one.rerunOf !== null) - Number(other.rerunOf !== null) || other.launched - one.launched
}

/** Runs are looked up in two maps that are made once, so that the time is linear in the number of folders. */
function putBack(workspace: Workspace, recorded: readonly Recorded[]): Record<'moved' | 'taken', Recorded[]> {
  const { store } = workspace
  // A folder that was not fetched has not been moved.
  const gone = store.runs.places().filter(place => presenceOf(readFolder(workspace, place)) === 'gone')
  const lost = new Set(gone.filter(({ deleted }) => !deleted).map(({ token }) => token))
  return store.transaction(() => {
    const places = store.runs.places()
    const ids = new Map(places.map(({ token, id }) => [token, id]))
    const experiments = new Map(places.map(({ id, experiment }) => [id, experiment]))
    const moved = recorded.filter(({ folder, record: { launch } }) => {
      const id = ids.get(launch.token)
      // The first folder found belongs to the run; any other is a copy.
      if (id === undefined || !lost.delete(launch.token)) return false
      store.runs.setStoragePath(id, storedPath(workspace, folder))
      return true
    })
    const taken = recorded.filter(({ folder, record }) => {
      if (ids.has(record.launch.token)) return false
      const reason = whyLeftOut(workspace, record, experiments.get(record.id))
      if (reason !== null) workspace.warn(`${storedPath(workspace, folder)} was left out: ${reason}`)
      else {
        addRun(workspace, folder, record)
        ids.set(record.launch.token, record.id)
        experiments.set(record.id, record.experiment)
      }
      return reason === null
    })
    return { moved, taken }
  })
}

/** Adds deleted runs whose folders are in the trash, so that they can be restored or removed for good. */
function putBackDeleted(workspace: Workspace): Recorded[] {
  const { store } = workspace
  return store.transaction(() => {
    const places = store.runs.places()
    const tokens = new Set(places.map(({ token }) => token))
    const ids = new Set(places.map(({ id }) => id))
    const trashed = trashedFoldersIn(resultFolder(workspace)).flatMap(({ folder, recorded }) =>
      recorded && !tokens.has(recorded.launch.token) && !ids.has(recorded.id) ? [{ folder, record: recorded }] : [],
    )
    for (const { record } of trashed) {
      addRun(workspace, absolutePath(workspace, record.storagePath), record)
      finish(workspace, record)
      store.runs.setDeleted(record.id, true)
    }
    return trashed
  })
}

/** Adds the actions on runs, and what is known of their ends. */
function putBackActions({ store }: Workspace, folders: readonly RunFolder[]): void {
  for (const { folder, recorded } of folders) {
    const records = recorded === null ? [] : readActions(folder)
    if (records.length === 0) continue
    store.transaction(() => {
      for (const record of records) store.actions.put(record)
    })
  }
}

/** @param other experiment of another run that has this id */
function whyLeftOut(workspace: Workspace, record: RunRecord, other: string | undefined): string | null {
  if (other !== undefined) return `the database has another run ${record.id}, of ${other}`
  try {
    const { kind, site } = runnerOf(workspace, record)
    const isMisplaced = kind.traits.has('needsNamespace') && site.namespace === null
    return isMisplaced ? `the runner ${kind.name} needs a namespace of a cluster` : null
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

function addRun(workspace: Workspace, folder: string, record: RunRecord): void {
  const { store } = workspace
  const experiment = experimentOf(workspace, record)
  store.runs.insert(record.id, { ...record, experiment, storagePath: storedPath(workspace, folder) }, record.launch)
  store.data.put(record.id, record.data)
  store.runs.update(record.id, record.groups, null, record.launched)
}

/** The name that the experiment of a run has now. One that is registered nowhere is known as the run recorded it. */
function experimentOf({ store }: Workspace, { experiment: name, launch }: RunRecord): string {
  if (store.experiments.find(name)) return name
  const renamed = store.experiments.list().find(({ experiment }) => experiment.was?.includes(name))
  if (renamed) return renamed.experiment.name
  const entry = { name, file: definitionFile('experiment', name), stamp: '', problem: goneProblem('experiment', name) }
  store.experiments.put(store.experiments.entry(name) ?? entry, { ...launch.experiment, name })
  return name
}

/**
 * If the record says that the run was over, every group that it does not list as failed had finished, even if the
 * journal of that group is gone.
 */
function finish({ store }: Workspace, { id, counts, groupCount, groups }: RunRecord): void {
  if (!isOver(counts) || groups.length !== counts.failed + counts.cancelled + counts.lost) return
  const failed = new Set(groups.map(({ index }) => index))
  const known = new Map(store.runs.groups(id).map(({ index, status }) => [index, status.state]))
  const end = { started: null, finished: null, host: null, jobId: null }
  const finished: GroupReport[] = Array.from({ length: groupCount }, (_, index) => index)
    .filter(index => !failed.has(index) && known.get(index) !== 'finished')
    .map(index => ({ index, status: { state: 'finished', exitCode: 0, ...end } }))
  if (finished.length > 0) store.runs.update(id, finished, 100, store.runs.get(id).asOf)
}
