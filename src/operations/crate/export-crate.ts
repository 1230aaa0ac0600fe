import { join, relative, resolve } from 'node:path'
import { repositoryUrl } from '../../code/project-repository.js'
import type { CrateContent, CrateDataset, CrateFile } from '../../domain/crate/entities.js'
import { crateMetadata } from '../../domain/crate/metadata.js'
import { environmentText } from '../../domain/environments/environment.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { GroupDetails, Run } from '../../domain/runs/run.js'
import { groupOfFile, programOf } from '../../domain/runs/run-plan.js'
import { fewOf } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { listingText, readListing } from '../../project/data/listings.js'
import { type Entry, fileEntry, textEntry, writeArchive } from '../../project/output/archive.js'
import { actionFiles, agentOf, hasPatch, ownFilesIn, unreadableOf } from '../../runfolder/files/crate-files.js'
import { groupIn, presenceOf } from '../../runfolder/files/presence.js'
import { actionsFolder, patchFile } from '../../runfolder/layout.js'
import type { Listing } from '../../system/folders/listing.js'
import { otherData } from '../data/other-data.js'
import { findEnvironments, storedEnvironments } from '../environments/run-environments.js'
import { runFolder } from '../folder/run-files.js'
import { doubts } from '../outputs/doubts.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import { currentRun, groupDetails } from '../runs/run-details.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'

/** What a crate holds. */
export interface ExportedCrate {
  /** As it was typed. */
  readonly path: string
  readonly run: number
  readonly files: number
  readonly bytes: number
  /** What is not in it, one sentence each. */
  readonly missing: readonly string[]
}

/**
 * Writes a run as a Process Run Crate: a folder, or a ZIP file if the name ends so.
 * @param path relative to the folder of the user, or absolute
 * @throws UserError if the run is not over, its folder is gone, or something is at the path
 */
export async function exportCrate(workspace: Workspace, named: Run, path: string): Promise<ExportedCrate> {
  const run = await currentRun(workspace, named)
  if (!isOver(run.counts)) {
    throw new UserError(`run ${run.id} is ${run.status}, and its files may still change`, `qanat run_wait ${run.id}`)
  }
  const folder = runFolder(workspace, run)
  const target = resolve(workspace.cwd, path)
  if (`${target}/`.startsWith(`${folder}/`))
    throw new UserError(`${path} is in the folder of the run`, 'give another place')
  if (/\.(tar|tgz|gz|bz2|xz|zst|7z|rar)$/i.test(target)) {
    throw new UserError(
      `-o ${path}: a crate is a folder, or a file whose name ends with .zip`,
      `qanat export --crate ${run.id} -o ${displayCommand([`${path.replace(/(\.tar)?\.\w+$/, '')}.zip`])}`,
    )
  }
  const crate: Crate = { files: [], missing: [] }
  const entries = entriesOf(workspace, run, folder, crate)
  await writeArchive(target, entries)
  const { files, missing } = crate
  return { path, run: run.id, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), missing }
}

/** What is known of a crate once its entries are written. */
interface Crate {
  readonly files: CrateFile[]
  readonly missing: string[]
}

/**
 * The files of a run that belong into a crate, with their names there.
 * @param source folder of the run
 * @param folder its name in the crate
 */
function filesOf(source: string, folder: string) {
  const listing = ownFilesIn(source)
  const records = actionFiles(source)
  const patch = hasPatch(source) ? 'uncommitted.patch' : null
  const found = [
    ...[...listing.files.keys()].map(path => ({ path, name: `${folder}/${relative(source, path)}` })),
    ...records.map(path => ({
      path,
      name: `actions/${relative(join(source, actionsFolder), path)}`,
    })),
    ...(patch === null ? [] : [{ path: join(source, patchFile), name: patch }]),
  ]
  return { listing, patch, found }
}

/** What a crate consists of; the metadata come last. */
async function* entriesOf(workspace: Workspace, run: Run, source: string, crate: Crate): AsyncGenerator<Entry> {
  const { files, missing } = crate
  const { store } = workspace
  const folder = `run_${run.id}`
  const { listing, patch, found } = filesOf(source, folder)
  const place = readFolder(workspace, run)
  const unread = new Set(unreadableOf(found.map(({ path }) => path)))
  const sources = found.filter(({ path }) => !unread.has(path))
  const doubtful = yield* runFiles(workspace, run, source, sources, listing, files)
  await findEnvironments(workspace, [run])
  const environments = yield* environmentFiles(workspace, run, files)
  const { token, experiment } = store.runs.launch(run.id)
  const datasets = yield* datasetFiles(workspace, run, files)
  const groups = groupDetails(workspace, run)
  const actions = store.actions.list(run.id)
  const names = new Map(sources.map(({ path, name }) => [path, name]))
  const nameOf = (path: string) => names.get(absolutePath(workspace, path)) ?? null
  const made = actions.flatMap(action => action.made.filter(({ change }) => change !== 'removed'))
  const { executableCommand, executable } = programOf(experiment)
  missing.push(
    ...missingGroups(workspace, run, groups),
    ...few(
      [...listing.others, ...unread].map(path => relative(source, path)),
      'is no regular file that can be read',
      'are no regular files that can be read',
    ),
    ...few(
      made.filter(({ path }) => nameOf(path) === null).map(({ path }) => path),
      'was made by an action and is not in the folder of the run',
      'were made by actions and are not in the folder of the run',
    ),
    ...few(
      doubtful,
      '(it has changed since the run ended, or came later)',
      '(they have changed since the run ended, or came later)',
    ).map(text => `which group or action has made ${text}`),
    ...otherData(workspace, [run]).map(text => `the list of the data that groups have read (${text})`),
    ...(run.dirty && patch === null
      ? [`the patch with the uncommitted changes of the code is ${presenceOf(place, patchFile)}`]
      : []),
    ...(place.isMirror ? [`the files of the run that are not fetched from ${run.site}`] : []),
  )
  const metadata = crateMetadata({
    ...{ run, token, groups, files, folder, patch, actions, nameOf, missing },
    program: {
      command: displayCommand([...executableCommand, executable]),
      description: experiment.description,
      repository: await repositoryUrl(workspace.project.root),
    },
    ...{ environments, datasets },
    agent: agentOf(source),
    exported: Date.now(),
  })
  yield* textEntry('ro-crate-metadata.json', metadata)
}

/**
 * The files of a run. A file that may have been changed after its group ended is not attributed to that group.
 * @param files get what was copied
 * @returns the names of such files, unless an action has made them
 */
async function* runFiles(
  workspace: Workspace,
  run: Run,
  source: string,
  sources: readonly { readonly path: string; readonly name: string }[],
  listing: Listing,
  files: CrateFile[],
): AsyncGenerator<Entry, string[]> {
  const doubtAbout = doubts(workspace, run, false)
  const doubtful: string[] = []
  const made = workspace.store.actions.list(run.id).flatMap(action => action.made)
  const madeByActions = new Set(made.map(each => `${each.digest} ${absolutePath(workspace, each.path)}`))
  for (const { path, name } of sources) {
    const copied = yield* fileEntry(name, path)
    const inRun = relative(source, path)
    const group = name.startsWith(`run_${run.id}/`) ? groupOfFile(totalOf(run.counts), inRun) : null
    const mtime = listing.files.get(path)?.modified ?? null
    const hash = `sha256:${copied.sha256}`
    const isDoubtful = group !== null && doubtAbout({ path: inRun, size: copied.size, mtime, hash }) !== null
    if (isDoubtful && !madeByActions.has(`${hash} ${path}`)) doubtful.push(inRun)
    files.push({ name, group: isDoubtful ? null : group, ...copied })
  }
  return doubtful
}

async function* environmentFiles(
  workspace: Workspace,
  run: Run,
  files: CrateFile[],
): AsyncGenerator<Entry, CrateContent['environments']> {
  const environments = storedEnvironments(workspace, run).map(each => ({
    ...each,
    name: `environments/${each.hash}.txt`,
  }))
  for (const { name, environment } of environments) {
    files.push({ name, group: null, ...(yield* textEntry(name, environmentText(environment))) })
  }
  return environments.map(({ name, places }) => ({ name, places }))
}

async function* datasetFiles(
  workspace: Workspace,
  run: Run,
  files: CrateFile[],
): AsyncGenerator<Entry, CrateContent['datasets']> {
  const { store, project } = workspace
  const launch = store.runs.launch(run.id)
  const registered = new DatasetsNow(workspace).of(launch)
  const datasets: CrateDataset[] = []
  for (const [at, name] of launch.experiment.datasets.entries()) {
    const fingerprint = store.data.of(run.id).find(each => each.name === name) ?? null
    const listing = readListing(project, fingerprint?.listing ?? null)
    const file = listing && { name: `data/${name}.jsonl`, text: listingText(listing) }
    if (file) files.push({ name: file.name, group: null, ...(yield* textEntry(file.name, file.text)) })
    const description = registered.get(name)?.description ?? ''
    const path = launch.datasetPaths[at] ?? ''
    datasets.push({ name, description, path, fingerprint, listing: file?.name ?? null })
  }
  return datasets
}

/** Groups that have run and whose folder is gone, or not fetched. */
function missingGroups(workspace: Workspace, run: Run, groups: readonly GroupDetails[]): string[] {
  const ran = groups.filter(({ status }) => 'started' in status && status.started !== null)
  const presences = ran.map(({ index }) => presenceOf(groupIn(readFolder(workspace, run), totalOf(run.counts), index)))
  return (['gone', 'not fetched'] as const).flatMap(state => {
    const those = ran.filter((_, at) => presences[at] === state).map(({ index }) => `${run.id}.${index}`)
    return few(those, `ran, and its folder is ${state}`, `ran, and their folders are ${state}`)
  })
}

/** One sentence about some things, which names the first ones if they are many. */
function few(things: readonly string[], one: string, several: string): string[] {
  const named = [...new Set(things)]
  if (named.length === 0) return []
  return [`${fewOf(named)} ${named.length === 1 ? one : several}`]
}
