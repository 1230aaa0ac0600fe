import { join, relative } from 'node:path'
import type { ListedAction } from '../../domain/action-record.js'
import type { MadeFrom } from '../../domain/made-from.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupOfFile } from '../../domain/runs/run-plan.js'
import { fewInSentence } from '../../domain/text/names.js'
import { findContent, readContent } from '../../project/output/content.js'
import { realPath } from '../../project/paths.js'
import { filesIn } from '../../runfolder/files/outputs.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { trashedFolder } from '../../runfolder/trash.js'
import { listActions } from '../actions/list-actions.js'
import { otherData } from '../data/other-data.js'
import { runsReadBy } from '../data/read-runs.js'
import { doubts } from '../outputs/doubts.js'
import { outputsOf } from '../outputs/outputs.js'
import { absolutePath, readFolder, resultFolder, storedPath, type Workspace } from '../workspace.js'
import { withChanges } from './changes-since.js'
import { compiled, exported } from './noted.js'
import type { Origin, Origins, ReadOrigin } from './origin.js'
import { isSame, nothing, runNamed, type Search } from './search.js'
import { sourceOfGroup, sourcesOf } from './sources.js'

/** Reads what a plot or a report says of itself, and whether it is as it was written; null for any other file. */
export type EmbeddedIn = (
  file: Uint8Array,
) => (Pick<MadeFrom, 'command' | 'runs'> & { readonly kind: 'plot' | 'report'; readonly isWhole: boolean }) | null

/** How long a search may take, and how many files it looks at. */
const limit = { files: 1_000_000, milliseconds: 30_000 }
/** Larger files are no plots and no reports of ours. */
const largestRecord = 64_000_000

/**
 * Finds what has made a file, by its content, wherever it is and whatever it is called now.
 * @param path relative to the folder of the user, or absolute
 * @param runs in which it is looked for; some may be in the trash
 * @throws UserError if it is no file that can be read
 */
export async function findOrigins(
  workspace: Workspace,
  path: string,
  runs: readonly Run[],
  embeddedIn: EmbeddedIn,
): Promise<Origins> {
  const { file, size, digest } = await findContent(workspace.cwd, path)
  const trashed = new Set(workspace.store.runs.deleted().map(({ id }) => id))
  const search = { workspace, file, size, digest, trashed, end: performance.now() + limit.milliseconds }
  const inRuns = await inFolders(search, runs)
  const byActions = await madeByActions(search, runs)
  const made = new Set(byActions.map(origin => origin.path))
  const found = [
    ...byActions,
    ...inRuns.origins.filter(origin => !made.has(origin.path)),
    ...formerly(search, runs, new Set([...made, ...inRuns.origins.map(({ path: there }) => there)])),
    ...(await exported(search, runs)),
    ...compiled(search, runs),
    ...(size <= largestRecord ? embedded(search, runs, embeddedIn) : []),
  ]
  const { origins, doubts } = await withChanges(workspace, await described(search, found))
  const notes = [
    ...otherData(workspace, [...new Set(origins.flatMap(({ run }) => run ?? []))]),
    ...doubts,
    ...notFetched(search, runs),
  ]
  return { file: path, size, digest, origins, notes, files: inRuns.files, complete: inRuns.complete }
}

/** Adds what is known of the runs. What is at the very place of the file comes first; what is doubtful or in the trash, last. */
async function described({ workspace, file, trashed }: Search, origins: readonly Origin[]): Promise<Origin[]> {
  const runs = new Map(origins.flatMap(({ run }) => (run ? [[run.id, run] as const] : [])))
  const sources = new Map((await sourcesOf(workspace, [...runs.values()])).map(source => [source.id, source]))
  const read = new Map<number, readonly ReadOrigin[]>()
  for (const run of runs.values()) read.set(run.id, await stagesBefore(workspace, run))
  const all = origins.map(origin => {
    const { run } = origin
    if (run === null) return origin
    const source = sources.get(run.id) ?? null
    return {
      ...origin,
      isTrashed: trashed.has(run.id),
      read: read.get(run.id)!,
      source: source && sourceOfGroup(workspace, source, origin.group),
    }
  })
  const isThere = ({ path }: Origin) => path !== null && realPath(absolutePath(workspace, path)) === file
  const isOwn = (origin: Origin) => isThere(origin) && (origin.kind === 'group' || origin.doubt === null)
  const rank = (origin: Origin) => (origin.isTrashed ? 2 : isOwn(origin) ? 0 : origin.doubt === null ? 1 : 2)
  return all.sort((one, other) => rank(one) - rank(other))
}

/** The runs that a run has read, and those that these have read. */
async function stagesBefore(workspace: Workspace, run: Run): Promise<ReadOrigin[]> {
  const found: ReadOrigin[] = []
  const seen = new Set([run.id])
  const waiting = [run]
  for (const reader of waiting) {
    for (const read of runsReadBy(workspace, reader)) {
      const [source] = await sourcesOf(workspace, [read.run])
      found.push({ ...read, reader: reader.id, source: source! })
      if (!seen.has(read.run.id)) waiting.push(read.run)
      seen.add(read.run.id)
    }
  }
  return found
}

function isElsewhere({ workspace }: Search, run: Run): boolean {
  return readFolder(workspace, run).isMirror
}

/** A sentence about the runs whose files are elsewhere, and were looked at only as far as they are here. */
function notFetched(search: Search, runs: readonly Run[]): string[] {
  const ids = runs.flatMap(run => (isElsewhere(search, run) ? String(run.id) : []))
  if (ids.length === 0) return []
  return [`files of run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids)} that are not fetched were not looked at`]
}

/** The folder of a run, in the trash if it was moved there. */
function folderNow({ workspace, trashed }: Search, { id, storagePath }: Run): string {
  const inTrash = trashed.has(id) ? trashedFolder(resultFolder(workspace), id) : null
  return inTrash ?? absolutePath(workspace, storagePath)
}

/** Where a file that an action has made is now, if it has moved with the folder of its run. */
function pathNow(search: Search, run: Run, path: string): string {
  if (!path.startsWith(`${run.storagePath}/`)) return path
  return storedPath(search.workspace, join(folderNow(search, run), path.slice(run.storagePath.length)))
}

/** The files in the folders of runs that have its content. Only those of its size are read. */
async function inFolders(
  search: Search,
  runs: readonly Run[],
): Promise<Pick<Origins, 'origins' | 'files' | 'complete'>> {
  const { workspace, size, end } = search
  const origins: Origin[] = []
  let files = 0
  let complete = true
  for (const run of runs) {
    const folder = folderNow(search, run)
    const left = { files: limit.files - files, milliseconds: end - performance.now() }
    const listing = filesIn(folder, left)
    files += listing.files.size
    complete &&= listing.complete
    const doubtAbout = doubts(workspace, run, true)
    for (const [path, state] of listing.files) {
      if (state.size !== size) continue
      if (performance.now() > end) complete = false
      else if (await isSame(search, path)) {
        const inRun = relative(folder, path)
        const group = groupOfFile(totalOf(run.counts), inRun)
        const doubt = doubtAbout({ path: inRun, size, mtime: state.modified, hash: search.digest })
        origins.push({ ...nothing, kind: 'group', run, group, path: storedPath(workspace, path), doubt })
      }
    }
  }
  return { origins, files, complete }
}

/**
 * The files that runs had left at their end, by their kept hashes.
 * @param found the paths of files that still are the same
 */
function formerly(search: Search, runs: readonly Run[], found: ReadonlySet<string | null>) {
  const { workspace, size, digest, end } = search
  const origins: Origin[] = []
  // The content of an empty file tells nothing.
  for (const run of size === 0 ? [] : runs) {
    if (performance.now() > end) break
    const folder = folderNow(search, run)
    for (const file of outputsOf(workspace, run)?.files ?? []) {
      const path = storedPath(workspace, join(folder, file.path))
      if (file.size !== size || file.hash !== digest || found.has(path)) continue
      const group = groupOfFile(totalOf(run.counts), file.path)
      const isFetched = presenceOf({ path: folder, isMirror: isElsewhere(search, run) }, file.path) !== 'not fetched'
      const since = isFetched ? 'has gone or changed since' : `is not fetched from ${run.site}`
      const doubt = `it was there at the end of the run, and ${since}`
      origins.push({ ...nothing, kind: 'group', run, group, path, doubt })
    }
  }
  return origins
}

/** The files that actions on runs have made, by their digests at that time. The files may be gone by now. */
async function madeByActions(search: Search, runs: readonly Run[]): Promise<Origin[]> {
  const { workspace, size, digest } = search
  const wanted = new Map(runs.map(run => [run.id, run]))
  const origins: Origin[] = []
  const records = new Map<number, ReadonlyMap<string, ListedAction>>()
  for (const { run: id, id: call, path: former, digest: known } of workspace.store.actions.madeWithSize(size)) {
    const run = wanted.get(id)
    if (!run) continue
    const path = pathNow(search, run, former)
    const there = absolutePath(workspace, path)
    const isIt = size === 0 || known === null ? await isSame(search, there) : known === digest
    if (!isIt) continue
    const calls = records.get(id) ?? new Map(listActions(workspace, run).map(each => [each.id, each]))
    records.set(id, calls)
    const action = calls.get(call) ?? null
    const [group = null, more] = action?.runs.find(target => target.id === id)?.groups ?? []
    const doubt = action?.shared ? 'groups or another action wrote at the same time' : null
    origins.push({ ...nothing, kind: 'action', run, group: more === undefined ? group : null, path, action, doubt })
  }
  return origins
}

/** What a plot or a report says of itself, a line for each of its runs. */
function embedded(search: Search, runs: readonly Run[], embeddedIn: EmbeddedIn): Origin[] {
  const bytes = readContent(search.file)
  const record = bytes && embeddedIn(bytes)
  if (record === null) return []
  const { kind, command } = record
  const changed = record.isWhole ? [] : ['it has changed since it was written']
  const named = record.runs.map(source => {
    const { id, token, commit } = source
    const run = runNamed(search, id, token)
    const doubts = [
      ...changed,
      ...(run === null ? [`it names run ${id} at ${commit.slice(0, 7)}, which is not in this project`] : []),
    ]
    return { ...nothing, kind, run, source, command, doubt: doubts.length > 0 ? doubts.join('; ') : null }
  })
  const wanted = named.filter(({ run }) => run === null || runs.some(({ id }) => id === run.id))
  return named.length > 0
    ? wanted
    : [{ ...nothing, kind, command, doubt: [...changed, 'it does not name its runs'].join('; ') }]
}
