import { trackedInTree } from '../../code/data/tracked-files.js'
import { compareListings, type DataDifference, differenceText, isChanged } from '../../domain/data/compare-listings.js'
import type { DataFile, DataListing, Fingerprint } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { readListing } from '../../system/data/listings.js'
import { exists } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type LookLimits, lookAtData, mostFiles } from './look-at-data.js'

/** A dataset that is no longer as a run has recorded it, or may not be. */
export interface DataChange {
  readonly dataset: string
  readonly difference: DataDifference
}

/** Compares what runs have recorded of their data with the data as they are now, each of which is looked at once. */
export class DataNow {
  private readonly seen = new Map<string, Promise<DataListing | null>>()
  private readonly limits: LookLimits

  /**
   * @param milliseconds that may be spent on all data; what was not seen by then counts as unchanged
   * @param withTracked whether files that git tracks are compared: they are not if the run's own commit is meant
   */
  constructor(
    private readonly workspace: Workspace,
    milliseconds: number,
    private readonly withTracked = true,
  ) {
    this.limits = { until: performance.now() + milliseconds, files: mostFiles }
  }

  /** The datasets of a run that differ. Those that cannot be compared, or are not on this machine, are left out. */
  async changes(run: Run): Promise<DataChange[]> {
    const changes: DataChange[] = []
    for (const fingerprint of this.workspace.store.data.of(run.id)) {
      const difference = await this.difference(fingerprint)
      if (difference && differenceText(difference) !== '') changes.push({ dataset: fingerprint.name, difference })
    }
    return changes
  }

  /** The datasets of a run that certainly differ, in a few words: `dataset iris changed since run 4: 51 files gone`. */
  async certainChanges(run: Run): Promise<string[]> {
    const changes = await this.changes(run)
    return changes
      .filter(({ difference }) => isChanged(difference))
      .map(({ dataset, difference }) => `dataset ${dataset} changed since run ${run.id}: ${differenceText(difference)}`)
  }

  private async difference(fingerprint: Fingerprint): Promise<DataDifference | null> {
    const { listing } = fingerprint
    const before = listing === null ? null : readListing(this.workspace.project.dataFolder, listing)
    const now = before && (await this.now(fingerprint))
    if (!(before && now)) return null
    if (this.withTracked) return compareListings(before, now)
    const tracked = new Set([...before.files, ...now.files].filter(isTracked).map(({ path }) => path))
    const others = (all: DataListing) => ({ ...all, files: all.files.filter(({ path }) => !tracked.has(path)) })
    return compareListings(others(before), others(now))
  }

  private now({ name, level }: Fingerprint): Promise<DataListing | null> {
    const key = `${level} ${name}`
    const known = this.seen.get(key) ?? listNow(this.workspace, name, level, this.limits)
    this.seen.set(key, known)
    return known
  }
}

/** The files of a dataset now; null if it is not registered, or not on this machine. */
export async function listNow(
  workspace: Workspace,
  name: string,
  level: Fingerprint['level'],
  limits: LookLimits,
): Promise<DataListing | null> {
  const dataset = workspace.store.datasets.find(name)
  const path = dataset && absolutePath(workspace, dataset.path)
  if (path === null || !exists(path)) return null
  const tracked = await trackedInTree(workspace.project.root, path)
  return lookAtData(workspace, { name, level, path, tracked }, limits)
}

function isTracked({ hash }: DataFile): boolean {
  return hash?.startsWith('git:') ?? false
}
