import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { withHashes } from '../../domain/data/compare-listings.js'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { Marks } from '../../project/data/marks.js'
import { writeOutputs } from '../../project/data/outputs.js'
import { startAlso } from '../../project/scripts/caller.js'
import { everything, hashOf } from '../../runfolder/files/outputs.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { ifProjectLockIsFree } from '../../store/locks/project-lock.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
import { listOutputs, outputsOf } from './outputs.js'

/** How much is looked at while somebody waits. */
const atEnd = { files: 10_000, milliseconds: 100 }

/** How often hashes are stored while more are computed, in milliseconds. */
const saveTime = 10_000

/**
 * Keeps the sizes of what a run has left at its end. What was kept of the same end stays: a repaired database learns of it
 * again, when files may have been edited.
 * @returns `partly` if something that takes longer, such as hashes, is left to {@link continueKeeping}
 */
export function keepOutputs(workspace: Workspace, run: Run): 'wholly' | 'partly' {
  if (!isWhole(workspace, run)) return 'wholly'
  const kept = outputsOf(workspace, run)
  const isKept = typeof kept?.end === 'number' && kept.end === run.finished
  const { partial } = isKept ? kept : write(workspace, run, listOutputs(workspace, run, atEnd))
  if (partial === null && !wantsHashes(workspace, run)) return 'wholly'
  waitingRuns(workspace).set(run.id, randomUUID())
  return 'partly'
}

/** Starts a process that does what is left to do, if there is anything: an earlier one may have been killed. */
export function continueKeeping(workspace: Workspace): void {
  if (waitingRuns(workspace).all().length === 0) return
  startAlso('doctor', '--hash_outputs')
}

/** What that process does, unless another one does it already. */
export async function keepWaiting(workspace: Workspace): Promise<void> {
  await ifProjectLockIsFree(workspace.project, 'outputs', async () => {
    const waiting = waitingRuns(workspace)
    const done = new Set<string>()
    for (;;) {
      const next = waiting.all().find(({ text }) => !done.has(text))
      if (next === undefined) return
      done.add(next.text)
      const run = workspace.store.runs.find(next.run)
      if (run && isOver(run.counts)) await completeOutputs(workspace, run, wantsHashes(workspace, run))
      // The run may have been retried meanwhile, and have ended again.
      waiting.remove(next.name, next.text)
    }
  })
}

/**
 * Looks at all that a run has left, and hashes what has not changed since its end.
 * @returns what is kept now; null if nothing is, and the folder is gone or elsewhere
 */
export async function completeOutputs(workspace: Workspace, run: Run, hashes: boolean): Promise<DataListing | null> {
  const folder = absolutePath(workspace, run.storagePath)
  const known = outputsOf(workspace, run)
  if (!isWhole(workspace, run)) return known
  const isListed = known !== null && known.partial === null
  const listing = isListed ? known : write(workspace, run, listOutputs(workspace, run, everything))
  let found: DataFile[] = []
  let saved = performance.now()
  const save = () => {
    // It may have been listed again meanwhile.
    write(workspace, run, withHashes(outputsOf(workspace, run) ?? listing, found))
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

/** Whether all that a run has left can be looked at: its folder is there, and not the mirror of one elsewhere, which lacks files. */
function isWhole(workspace: Workspace, run: Run): boolean {
  const folder = readFolder(workspace, run)
  return !folder.isMirror && presenceOf(folder) === 'there'
}

function write({ project, store }: Workspace, { id }: Run, listing: DataListing): DataListing {
  return writeOutputs(project, store.runs.token(id), listing)
}

function wantsHashes({ store }: Workspace, { experiment }: Run): boolean {
  return store.experiments.find(experiment)?.manifest === 'hash'
}

/** The runs of which something is left to do; the text changes with each end of a run. */
function waitingRuns({ project }: Workspace): Marks {
  return new Marks(project, 'outputs/waiting')
}
