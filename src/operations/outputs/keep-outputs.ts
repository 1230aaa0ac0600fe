import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { digestOfFile } from '../../system/digest.js'
import { atomicWrite, isFolder, removeFile } from '../../system/files.js'
import { listFiles } from '../../system/folders/listing.js'
import { readRegular } from '../../system/regular-file.js'
import { ifProjectLockIsFree } from '../project-lock.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { listOutputs, outputsOf, withHashes, writeOutputs } from './outputs.js'

/** How much is looked at while somebody waits. */
const atEnd = { files: 10_000, milliseconds: 100 }
/** For those who want to wait. */
export const everything = { files: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }

/** How often hashes are stored while more are computed, in milliseconds. */
const saveTime = 10_000

/**
 * Keeps the sizes of what a run has left at its end. What was kept of the same end stays: a repaired database learns of it
 * again, when files may have been edited.
 * @returns `partly` if something that takes longer, such as hashes, is left to {@link continueKeeping}
 */
export function keepOutputs(workspace: Workspace, run: Run): 'wholly' | 'partly' {
  if (!isFolder(absolutePath(workspace, run.storagePath))) return 'wholly'
  const kept = outputsOf(workspace, run)
  const isKept = typeof kept?.end === 'number' && kept.end === run.finished
  const { partial } = isKept ? kept : writeOutputs(workspace, run, listOutputs(workspace, run, atEnd))
  if (partial === null && !wantsHashes(workspace, run)) return 'wholly'
  atomicWrite(join(waitingFolder(workspace), String(run.id)), randomUUID())
  return 'partly'
}

/** Starts a process that does what is left to do, if there is anything: an earlier one may have been killed. */
export function continueKeeping(workspace: Workspace): void {
  if (waitingRuns(workspace).length === 0) return
  workspace.here.start([process.execPath, process.argv[1]!, 'doctor', '--hash_outputs']).leave()
}

/** What that process does, unless another one does it already. */
export async function keepWaiting(workspace: Workspace): Promise<void> {
  await ifProjectLockIsFree(workspace.project, 'outputs', async () => {
    const done = new Set<string | null>()
    for (;;) {
      const file = waitingRuns(workspace).find(path => !done.has(readRegular(path)))
      if (file === undefined) return
      const request = readRegular(file)
      done.add(request)
      const run = workspace.store.runs.find(Number(file.split('/').at(-1)))
      if (run && isOver(run.counts)) await completeOutputs(workspace, run, wantsHashes(workspace, run))
      // The run may have been retried meanwhile, and have ended again.
      if (readRegular(file) === request) removeFile(file)
    }
  })
}

/**
 * Looks at all that a run has left, and hashes what has not changed since its end.
 * @returns what is kept now; null if nothing is, and the folder is gone
 */
export async function completeOutputs(workspace: Workspace, run: Run, hashes: boolean): Promise<DataListing | null> {
  const folder = absolutePath(workspace, run.storagePath)
  const known = outputsOf(workspace, run)
  if (!isFolder(folder)) return known
  const isWhole = known !== null && known.partial === null
  const listing = isWhole ? known : writeOutputs(workspace, run, listOutputs(workspace, run, everything))
  let found: DataFile[] = []
  let saved = performance.now()
  const save = () => {
    // It may have been listed again meanwhile.
    writeOutputs(workspace, run, withHashes(outputsOf(workspace, run) ?? listing, found))
    found = []
    saved = performance.now()
  }
  for (const file of hashes ? listing.files : []) {
    const hash = file.hash === null ? await hashOf(join(folder, file.path), file) : null
    if (hash !== null) found.push({ ...file, hash })
    if (performance.now() - saved > saveTime) save()
  }
  if (found.length > 0) save()
  return outputsOf(workspace, run)
}

/** The hash of a file that is still the same; null for another one. */
export async function hashOf(path: string, { size, mtime }: DataFile): Promise<string | null> {
  const isSame = () => {
    const state = listFiles([{ path, deep: false }], everything).files.get(path)
    return state?.size === size && state.modified === mtime
  }
  try {
    const hash = isSame() ? await digestOfFile(path) : null
    return hash !== null && isSame() ? hash : null
  } catch {
    // It cannot be read.
    return null
  }
}

function wantsHashes({ store }: Workspace, { experiment }: Run): boolean {
  return store.experiments.find(experiment)?.manifest === 'hash'
}

/** A file for each run of which something is left to do; its text changes with each end of the run. */
function waitingRuns(workspace: Workspace): string[] {
  return [...listFiles([{ path: waitingFolder(workspace), deep: false }], everything).files.keys()]
}

function waitingFolder({ project }: Workspace): string {
  return join(project.dataFolder, 'outputs', 'waiting')
}
