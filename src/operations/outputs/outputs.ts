import type { DataListing } from '../../domain/data/fingerprint.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { readOutputs } from '../../project/data/outputs.js'
import { isOutput, listFolders } from '../../runfolder/files/outputs.js'
import type { Limit } from '../../system/folders/listing.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { productsIn } from './products.js'

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
export function outputsOf({ project, store }: Workspace, { id }: Pick<Run, 'id'>): DataListing | null {
  return readOutputs(project, store.runs.token(id))
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
