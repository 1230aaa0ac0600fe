import { trackedInCode } from '../../../code/data/tracked-files.js'
import { compareListings, differenceText, isChanged } from '../../../domain/data/compare-listings.js'
import { type Fingerprint, levelFor, usualSetting } from '../../../domain/data/fingerprint.js'
import { readListing } from '../../../project/data/listings.js'
import {
  type DatasetToRead,
  fingerprintOf,
  launchTime,
  mostFiles,
  type ReadLimits,
  readData,
} from '../../../project/data/read-data.js'
import { withoutTracked } from '../../data/data-now.js'
import { absolutePath, type Workspace } from '../../workspace.js'
import type { RunFacts } from './run-record.js'

/**
 * Records what a run is about to read. A launch never fails because of it: what cannot be looked at is a warning.
 * @param run its id
 */
export async function recordData(workspace: Workspace, run: number, facts: RunFacts): Promise<void> {
  const limits = { until: performance.now() + launchTime, files: mostFiles }
  const data: Fingerprint[] = []
  for (const [at, name] of facts.resolved.experiment.datasets.entries()) {
    data.push(await recordOne(workspace, name, facts, at, limits))
  }
  if (data.length > 0) workspace.store.transaction(() => workspace.store.data.put(run, data))
  if (facts.resolved.rerunOf === null) warnOfChanges(workspace, run, data)
}

/** Tells which data have changed since the run before. What git tracks changes with its commits, which are told anyway. */
function warnOfChanges({ store, project, warn }: Workspace, run: number, data: readonly Fingerprint[]): void {
  const before = store.data.before(run)
  for (const { name, digest, listing } of data) {
    const former = before?.data.find(each => each.name === name)
    if (!former?.listing || listing === null || former.digest === digest) continue
    const [then, now] = [former.listing, listing].map(each => readListing(project, each))
    if (!(then && now)) continue
    const difference = compareListings(...withoutTracked(then, now))
    if (isChanged(difference)) warn(`dataset ${name} changed since run ${before!.run}: ${differenceText(difference)}`)
  }
}

async function recordOne(
  workspace: Workspace,
  name: string,
  { code, resolved, paths }: RunFacts,
  at: number,
  limits: ReadLimits,
): Promise<Fingerprint> {
  const setting = workspace.store.datasets.find(name)?.fingerprint ?? usualSetting
  const empty = { files: 0, tracked: 0, bytes: 0, partial: null, digest: null, listing: null }
  const looked = { level: levelFor(setting, null), ...(setting === 'auto' && ({ auto: true } as const)) }
  const nothing = { name, ...looked, taken: Date.now(), ...empty }
  if (setting === 'off') return nothing
  const { site } = resolved.runner
  if (!site.isHere) return { ...nothing, partial: `it is on ${site.name}` }
  try {
    const tracked = await trackedInCode(code, workspace.project.root, resolved.datasetPaths[at]!)
    const dataset: DatasetToRead = { name, setting, path: absolutePath(workspace, paths.datasetPaths[at]!), tracked }
    const read = await readData(workspace.project, dataset, limits)
    // It may be on the nodes only, and a warning has said so.
    if (read === null) return { ...nothing, partial: 'its path is not on this machine' }
    const fingerprint = fingerprintOf(workspace.project, dataset, read)
    if (fingerprint.partial !== null) {
      workspace.warn(`the fingerprint of dataset ${name} is not complete: ${fingerprint.partial}`)
    }
    return fingerprint
  } catch (error) {
    const { message } = error as Error
    workspace.warn(`dataset ${name} could not be looked at: ${message}`)
    return { ...nothing, partial: message }
  }
}
