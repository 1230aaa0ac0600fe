import { join, relative } from 'node:path'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { readListingFile, writeListingFile } from '../../system/data/listings.js'
import { removeFile } from '../../system/files.js'
import { type Limit, listFiles } from '../../system/folders/listing.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { productsIn } from './products.js'

// What is kept of the outputs of a run: the size and the time of each file that its groups had left at its end, and its hash
// where the experiment asks for it. It is kept in the project, since the folder of the run may go.

/** Files and folders of a group or of a run that Qanat or a person has written. */
const notOutputs = /^(\.run|info\.yaml|group_info\.yaml|comment\.md)(\/|$)/

/** Whether a file belongs to what a group has left. @param path relative to the folder of the group */
export function isOutput(path: string): boolean {
  return !notOutputs.test(path)
}

/** What is in some folders of groups now; links in them are not followed. @param folders absolute @param top of the paths */
export function listFolders(folders: readonly string[], top: string, limit: Limit): DataListing {
  const places = folders.map(path => ({ path, deep: true }))
  const found = listFiles(places, limit, new Set(['.run']))
  const files = [...found.files].map(([path, { size, modified }]): DataFile => {
    return { path: relative(top, path), size, mtime: modified, hash: null }
  })
  return {
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    skipped: found.others.map(path => relative(top, path)).sort(),
    partial: found.complete ? null : `only ${files.length.toLocaleString('en-US')} files were looked at`,
  }
}

/** What the groups of a run have left now; paths are relative to the folder of the run. */
export function listOutputs(workspace: Workspace, run: Run, limit: Limit): DataListing {
  const [folder, total] = [absolutePath(workspace, run.storagePath), totalOf(run.counts)]
  const folders = Array.from({ length: total }, (_, index) => groupFolder(folder, total, index))
  const listing = listFolders(folders, folder, limit)
  const inGroup = (path: string) => (total === 1 ? path : path.slice(path.indexOf('/') + 1))
  const isProduct = productsIn(workspace, run)
  const files = listing.files.filter(file => isOutput(inGroup(file.path)) && !isProduct(file))
  return { ...listing, files, end: run.finished }
}

/** What is kept of the outputs of a run; null if nothing is. */
export function outputsOf(workspace: Workspace, { id }: Pick<Run, 'id'>): DataListing | null {
  return readListingFile(fileOf(workspace, workspace.store.runs.token(id)))
}

/** What is kept of the outputs of a run, in numbers. */
export interface KeptOutputs {
  readonly files: number
  readonly bytes: number
  /** Of how many files there is a hash. */
  readonly hashed: number
  /** Why files are missing; null if none is. */
  readonly partial: string | null
}

/** The same as {@link outputsOf} in numbers. */
export function keptOutputs(workspace: Workspace, run: Pick<Run, 'id'>): KeptOutputs | null {
  const listing = outputsOf(workspace, run)
  if (listing === null) return null
  return {
    files: listing.files.length,
    bytes: listing.files.reduce((sum, { size }) => sum + size, 0),
    hashed: listing.files.filter(({ hash }) => hash !== null).length,
    partial: listing.partial,
  }
}

/** Keeps a listing of the outputs of a run, with the hashes that are known of files which have not changed since. */
export function writeOutputs(workspace: Workspace, { id }: Run, listing: DataListing): DataListing {
  const kept = withHashes(listing, outputsOf(workspace, { id })?.files ?? [])
  writeListingFile(fileOf(workspace, workspace.store.runs.token(id)), kept)
  return kept
}

/** The same listing with hashes of the same files. */
export function withHashes(listing: DataListing, hashed: readonly DataFile[]): DataListing {
  const known = new Map(hashed.map(file => [file.path, file]))
  const files = listing.files.map(file => {
    const same = known.get(file.path)
    const isKnown = file.hash === null && same?.size === file.size && same.mtime === file.mtime
    return isKnown ? { ...file, hash: same.hash } : file
  })
  return { ...listing, files }
}

/** Removes what is kept of a run that was deleted for good. */
export function forgetOutputs(workspace: Workspace, token: string): void {
  removeFile(fileOf(workspace, token))
}

function fileOf({ project }: Workspace, token: string): string {
  return join(project.dataFolder, 'outputs', `${token}.gz`)
}
