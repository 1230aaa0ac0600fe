import { trackedInCode } from '../../code/data/tracked-files.js'
import type { Fingerprint } from '../../domain/data/fingerprint.js'
import { exists } from '../../system/files.js'
import type { RunFacts } from '../launch/run-record.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type DatasetToRead, fingerprintOf, launchTime, mostFiles, type ReadLimits, readData } from './read-data.js'

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
}

async function recordOne(
  workspace: Workspace,
  name: string,
  { code, resolved, datasetPaths }: RunFacts,
  at: number,
  limits: ReadLimits,
): Promise<Fingerprint> {
  const level = workspace.store.datasets.find(name)?.fingerprint ?? 'stat'
  const empty = { files: 0, tracked: 0, bytes: 0, partial: null, digest: null, listing: null }
  const nothing = { name, level, taken: Date.now(), ...empty }
  if (level === 'off') return nothing
  try {
    const tracked = await trackedInCode(code, workspace.project.root, resolved.datasetPaths[at]!)
    const dataset: DatasetToRead = { name, level, path: absolutePath(workspace, datasetPaths[at]!), tracked }
    // It may be on the nodes only, and a warning has said so.
    if (!exists(dataset.path)) return { ...nothing, partial: 'its path is not on this machine' }
    const fingerprint = fingerprintOf(workspace, dataset, await readData(workspace, dataset, limits))
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
