import { trackedInTree } from '../../code/data/tracked-files.js'
import {
  compareListings,
  type DataDifference,
  differenceText,
  goneText,
  isChanged,
} from '../../domain/data/compare-listings.js'
import {
  type DataFile,
  type DataListing,
  type Fingerprint,
  type Setting,
  settingOf,
} from '../../domain/data/fingerprint.js'
import type { StoredDataset } from '../../domain/dataset.js'
import type { Run } from '../../domain/runs/run.js'
import { readListing } from '../../project/data/listings.js'
import { type DatasetToRead, mostFiles, type ReadLimits, readData } from '../../project/data/read-data.js'
import { DatasetsNow, trashedWith } from '../registry/datasets-now.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** A dataset beside what a run has recorded of it. */
export interface DataChange {
  /** The name that the run recorded. */
  readonly dataset: string
  /** The name that it has now; null if it is not registered any more. */
  readonly now: string | null
  readonly difference: DataDifference
  /** Its path, if nothing is there any more; null otherwise. */
  readonly missing: string | null
}

/** A change of a dataset, as a sentence. */
export interface ChangeText {
  /** The name that the run recorded. */
  readonly dataset: string
  readonly text: string
}

/** Compares what runs have recorded of their data with the data as they are now, each of which is looked at once. */
export class DataNow {
  private readonly seen = new Map<string, Promise<DataListing | null>>()
  private readonly limits: ReadLimits

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

  /** The datasets of a run that differ. */
  async changes(run: Run): Promise<DataChange[]> {
    const isOther = ({ missing, difference }: DataChange) => missing !== null || differenceText(difference) !== ''
    return (await this.compared(run)).filter(isOther)
  }

  /** The datasets of a run, also those that are the same. Those that cannot be compared, or were never on this machine, are left out. */
  async compared(run: Run): Promise<DataChange[]> {
    const { store } = this.workspace
    const compared: DataChange[] = []
    const definition = store.runs.definition(run.id)
    const now = new DatasetsNow(this.workspace).of(definition)
    for (const [at, fingerprint] of store.data.of(run.id).entries()) {
      const change = await this.change(
        fingerprint,
        now.get(fingerprint.name) ?? null,
        definition.datasetPaths[at] ?? '',
      )
      if (change) compared.push(change)
    }
    return compared
  }

  /** The datasets of a run that certainly differ. */
  async certainChanges(run: Run): Promise<readonly ChangeText[]> {
    return (await this.sentences(run)).certain
  }

  /**
   * Sentences about the datasets of a run that certainly differ, such as `dataset iris changed since run 4: 51 files
   * gone`, and about those in which only the times of files differ.
   */
  async sentences(run: Run): Promise<{ certain: readonly ChangeText[]; possible: readonly ChangeText[] }> {
    const certain: ChangeText[] = []
    const possible: ChangeText[] = []
    for (const { dataset, now, difference, missing } of await this.changes(run)) {
      const what = differenceText(difference)
      const name = now ?? dataset
      if (missing !== null)
        certain.push({ dataset, text: `dataset ${name} ${goneText(missing)}${trashedWith(this.workspace, missing)}` })
      else if (isChanged(difference))
        certain.push({ dataset, text: `dataset ${name} changed since run ${run.id}: ${what}` })
      else possible.push({ dataset, text: `dataset ${name}, since run ${run.id}: ${what} (same size, another time)` })
    }
    return { certain, possible }
  }

  private async change(
    fingerprint: Fingerprint,
    dataset: StoredDataset | null,
    given: string,
  ): Promise<DataChange | null> {
    const { project } = this.workspace
    const { name, listing } = fingerprint
    const before = readListing(project, listing)
    // The frozen copy of a run, from which it read what git tracks, does not change.
    const place =
      dataset?.path ?? (absolutePath(this.workspace, given).startsWith(`${project.cacheFolder}/`) ? null : given)
    if (before === null || place === null) return null
    const now = await this.now(name, settingOf(fingerprint), absolutePath(this.workspace, place))
    const seen: [DataListing, DataListing] = this.withTracked
      ? [before, now ?? noFiles]
      : withoutTracked(before, now ?? noFiles)
    // If all of its files are tracked, they are read from a frozen copy, so nothing is missing.
    const isMissing = now === null && (this.withTracked || before.files.length === 0 || seen[0].files.length > 0)
    return {
      dataset: name,
      now: dataset?.name ?? null,
      difference: compareListings(...seen),
      missing: isMissing ? place : null,
    }
  }

  private now(name: string, setting: Setting, path: string): Promise<DataListing | null> {
    const key = `${setting} ${path}`
    const known = this.seen.get(key) ?? listPlace(this.workspace, { name, setting, path }, this.limits)
    this.seen.set(key, known)
    return known
  }
}

/** The files of a dataset now; null if it is not registered, or not on this machine. */
export async function listNow(
  workspace: Workspace,
  name: string,
  setting: Setting,
  limits: ReadLimits,
): Promise<DataListing | null> {
  const dataset = workspace.store.datasets.find(name)
  if (!dataset?.path) return null
  return listPlace(workspace, { name, setting, path: absolutePath(workspace, dataset.path) }, limits)
}

/** The files of a dataset that is, or was, at some path; null if nothing is there. */
export async function listPlace(
  workspace: Workspace,
  dataset: Omit<DatasetToRead, 'tracked'>,
  limits: ReadLimits,
): Promise<DataListing | null> {
  const tracked = await trackedInTree(workspace.project.root, dataset.path)
  return (await readData(workspace.project, { ...dataset, tracked }, limits))?.listing ?? null
}

/** What is listed where nothing is. */
export const noFiles: DataListing = { files: [], skipped: [], partial: null }

/** Two listings without the files that git tracks in one of them. */
export function withoutTracked(...listings: [DataListing, DataListing]): [DataListing, DataListing] {
  const tracked = new Set(listings.flatMap(({ files }) => files.filter(isTracked).map(({ path }) => path)))
  const rest = (all: DataListing) => ({ ...all, files: all.files.filter(({ path }) => !tracked.has(path)) })
  return [rest(listings[0]), rest(listings[1])]
}

function isTracked({ hash }: DataFile): boolean {
  return hash?.startsWith('git:') ?? false
}
