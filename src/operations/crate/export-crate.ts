import { join, relative, resolve } from 'node:path'
import { repositoryUrl } from '../../code/project-repository.js'
import type { CrateFile } from '../../domain/crate/entities.js'
import { crateMetadata } from '../../domain/crate/metadata.js'
import type { Fingerprint } from '../../domain/data/fingerprint.js'
import { environmentText } from '../../domain/environments/environment.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { GroupDetails, Run } from '../../domain/runs/run.js'
import { groupOfFile, programOf } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { actionsFolder } from '../../runfolder/layout.js'
import { type Archive, addFile, addText } from '../../system/archives/archive.js'
import { folderArchive } from '../../system/archives/folder-archive.js'
import { zipArchive } from '../../system/archives/zip-archive.js'
import { listingText, readListing } from '../../system/data/listings.js'
import { aboutFile, exists, explainWriting } from '../../system/files.js'
import { type Listing, listFiles } from '../../system/folders/listing.js'
import { canRead, ownerOf } from '../../system/regular-file.js'
import { otherData } from '../data/other-data.js'
import { findEnvironments, storedEnvironments } from '../environments/run-environments.js'
import { doubts } from '../outputs/doubts.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import { ofOthers } from '../runs/nested-runs.js'
import { currentRun, groupDetails } from '../runs/run-details.js'
import { runFolder } from '../runs/run-files.js'
import { absolutePath, type Workspace } from '../workspace.js'

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

const everything = { files: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }

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
  const archive = newArchive(target)
  try {
    const { files, missing } = await fill(workspace, run, folder, archive)
    archive.close()
    return { path, run: run.id, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), missing }
  } catch (error) {
    archive.discard()
    throw aboutFile(error, target)
  }
}

/** @throws UserError if something is there @throws OperationError if it cannot be written */
function newArchive(target: string): Archive {
  try {
    return target.toLowerCase().endsWith('.zip') ? zipArchive(target) : folderArchive(target)
  } catch (error) {
    throw explainWriting(error, target)
  }
}

/**
 * The files of a run that belong into a crate, with their names there.
 * @param source folder of the run
 * @param folder its name in the crate
 */
function filesOf(workspace: Workspace, source: string, folder: string) {
  const isOthers = ofOthers(workspace, source)
  const listing = listFiles([{ path: source, deep: true }], everything, new Set(['.run']))
  const records = listFiles([{ path: join(source, actionsFolder), deep: false }], everything)
  const patch = canRead(join(source, '.run/uncommitted.patch')) ? 'uncommitted.patch' : null
  const found = [
    ...[...listing.files.keys()]
      .map(path => relative(source, path))
      .flatMap(path => (isOthers(path) ? [] : { path: join(source, path), name: `${folder}/${path}` })),
    ...[...records.files.keys()].map(path => ({
      path,
      name: `actions/${relative(join(source, actionsFolder), path)}`,
    })),
    ...(patch === null ? [] : [{ path: join(source, '.run/uncommitted.patch'), name: patch }]),
  ]
  return { listing, patch, found }
}

async function fill(
  workspace: Workspace,
  run: Run,
  source: string,
  archive: Archive,
): Promise<{ files: CrateFile[]; missing: string[] }> {
  const { store } = workspace
  const folder = `run_${run.id}`
  const { listing, patch, found } = filesOf(workspace, source, folder)
  const unread = new Set(found.map(({ path }) => path).filter(path => !canRead(path)))
  const sources = found.filter(({ path }) => !unread.has(path))
  const { files, doubtful } = addRunFiles(workspace, run, source, folder, archive, sources, listing)
  await findEnvironments(workspace, [run])
  const environments = storedEnvironments(workspace, run).map(({ environment, hash, places }) => {
    const name = `environments/${hash}.txt`
    files.push({ name, group: null, ...addText(archive, name, environmentText(environment)) })
    return { name, places }
  })
  const launch = store.runs.launch(run.id)
  const { token, experiment, datasetPaths } = launch
  const registered = new DatasetsNow(workspace).of(launch)
  const datasets = experiment.datasets.map((name, at) => {
    const fingerprint = store.data.of(run.id).find(each => each.name === name) ?? null
    const description = registered.get(name)?.description ?? ''
    const listing = addListing(workspace, archive, fingerprint)
    if (listing) files.push(listing)
    return { name, description, path: datasetPaths[at] ?? '', fingerprint, listing: listing?.name ?? null }
  })
  const groups = groupDetails(workspace, run)
  const actions = store.actions.list(run.id)
  const names = new Map(sources.map(({ path, name }) => [path, name]))
  const nameOf = (path: string) => names.get(absolutePath(workspace, path)) ?? null
  const made = actions.flatMap(action => action.made.filter(({ change }) => change !== 'removed'))
  const { executableCommand, executable } = programOf(experiment)
  const missing = [
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
    ...(run.dirty && patch === null ? ['the patch with the uncommitted changes of the code is gone'] : []),
  ]
  const metadata = crateMetadata({
    ...{ run, token, groups, files, folder, patch, actions, nameOf, missing },
    program: {
      command: displayCommand([...executableCommand, executable]),
      description: experiment.description,
      repository: await repositoryUrl(workspace.project.root),
    },
    ...{ environments, datasets },
    agent: agentOf(workspace, source),
    exported: Date.now(),
  })
  archive.add('ro-crate-metadata.json', [Buffer.from(metadata)])
  return { files, missing }
}

/**
 * Adds the files of a run. A file that may have been changed after its group ended is not attributed to that group;
 * `doubtful` names such files, unless an action has made them.
 */
function addRunFiles(
  workspace: Workspace,
  run: Run,
  source: string,
  folder: string,
  archive: Archive,
  sources: readonly { readonly path: string; readonly name: string }[],
  listing: Listing,
): { files: CrateFile[]; doubtful: string[] } {
  const doubtAbout = doubts(workspace, run, false)
  const doubtful: string[] = []
  const made = workspace.store.actions.list(run.id).flatMap(action => action.made)
  const madeByActions = new Set(made.map(each => `${each.digest} ${absolutePath(workspace, each.path)}`))
  const files = sources.map(({ path, name }): CrateFile => {
    const copied = addFile(archive, name, path)
    const inRun = relative(source, path)
    const group = name.startsWith(`${folder}/`) ? groupOfFile(totalOf(run.counts), inRun) : null
    if (group === null) return { name, group, ...copied }
    const mtime = listing.files.get(path)?.modified ?? null
    const hash = `sha256:${copied.sha256}`
    const doubt = doubtAbout({ path: inRun, size: copied.size, mtime, hash })
    if (doubt !== null && !madeByActions.has(`${hash} ${path}`)) doubtful.push(inRun)
    return { name, group: doubt === null ? group : null, ...copied }
  })
  return { files, doubtful }
}

/** Adds the list of the files that a run read of a dataset; null if there is none. */
function addListing({ project }: Workspace, archive: Archive, fingerprint: Fingerprint | null): CrateFile | null {
  const listing = fingerprint?.listing ? readListing(project.dataFolder, fingerprint.listing) : null
  if (listing === null) return null
  const name = `data/${fingerprint!.name}.jsonl`
  return { name, group: null, ...addText(archive, name, listingText(listing)) }
}

/** Groups that have run and whose folder is gone. */
function missingGroups(workspace: Workspace, run: Run, groups: readonly GroupDetails[]): string[] {
  const gone = groups.filter(
    ({ status, storagePath }) =>
      'started' in status && status.started !== null && !exists(absolutePath(workspace, storagePath)),
  )
  return few(
    gone.map(({ index }) => `${run.id}.${index}`),
    'ran, and its folder is gone',
    'ran, and their folders are gone',
  )
}

/** One sentence about some things, which names the first ones if they are many. */
function few(things: readonly string[], one: string, several: string): string[] {
  const named = [...new Set(things)]
  if (named.length === 0) return []
  const more = named.length > 5 ? ` and ${named.length - 5} more` : ''
  return [`${named.slice(0, 5).join(', ')}${more} ${named.length === 1 ? one : several}`]
}

/** Whoever launched the run owns its folder. */
function agentOf({ site }: Workspace, folder: string): string {
  const owner = ownerOf(folder)
  return owner === process.getuid?.() ? site.user : `user ${owner}`
}
