import type { StoredDataset } from '../../domain/dataset.js'
import type { DependencyStatus, StoredDocument } from '../../domain/documents/document.js'
import type { Run } from '../../domain/runs/run.js'
import { lastRecord } from '../data/compare-data.js'
import { type ChangeText, DataNow } from '../data/data-now.js'
import { documentStatus } from '../documents/document-status.js'
import { StagesNow } from '../documents/stages-now.js'
import type { Workspace } from '../workspace.js'

/** How many milliseconds are spent on the files of all datasets. */
const dataTime = 2_000

/** A document, and how what it needs is now. */
export interface BrowsedDocument {
  readonly document: StoredDocument
  readonly statuses: readonly DependencyStatus[]
}

/** Looks at all documents. Nothing is launched or exported. */
export async function browsedDocuments(workspace: Workspace): Promise<BrowsedDocument[]> {
  const found: BrowsedDocument[] = []
  for (const document of workspace.store.documents.list()) {
    found.push({ document, statuses: (await documentStatus(workspace, document)).statuses })
  }
  return found
}

/** A dataset, and whether it is still as it was read. */
export interface BrowsedDataset {
  readonly dataset: StoredDataset
  /** Those that read it. */
  readonly experiments: readonly string[]
  /** The last run that has read it, of which the files are known if they are of any; null if none has. */
  readonly run: number | null
  /** How much of it was compared with what that run has read. In two seconds, not all of much data can be. */
  readonly compared: 'all' | 'a part' | 'nothing'
  /** What has changed since, a sentence each. Where only the times of files differ, it has perhaps changed. */
  readonly changes: readonly { readonly text: string; readonly isCertain: boolean }[]
}

/** All datasets. */
export async function browsedDatasets(workspace: Workspace): Promise<BrowsedDataset[]> {
  const { store } = workspace
  const experiments = store.experiments.list().map(({ experiment }) => experiment)
  const now = { data: new DataNow(workspace, dataTime), stages: new StagesNow(workspace) }
  const found: BrowsedDataset[] = []
  for (const dataset of store.datasets.list()) {
    const { name } = dataset
    const last = lastRecord(workspace, name)
    found.push({
      dataset,
      experiments: experiments.filter(({ datasets }) => datasets.includes(name)).map(each => each.name),
      run: last?.id ?? null,
      ...(last === null
        ? { compared: 'nothing', changes: [] }
        : await changesOf(store.runs.get(last.id), last.fingerprint.name, now)),
    })
  }
  return found
}

/** @param recorded the name of the dataset when the run was launched */
async function changesOf(
  run: Run,
  recorded: string,
  { data, stages }: { data: DataNow; stages: StagesNow },
): Promise<Pick<BrowsedDataset, 'compared' | 'changes'>> {
  const difference = (await data.compared(run)).find(({ dataset }) => dataset === recorded)?.difference
  const { certain, possible } = await data.sentences(run)
  const of = (changes: readonly ChangeText[], isCertain: boolean) =>
    changes.flatMap(({ dataset, text }) => (dataset === recorded ? [{ text, isCertain }] : []))
  const other = (await stages.changes(run, [recorded])).map(text => ({ text, isCertain: true }))
  return {
    compared: !difference ? 'nothing' : difference.isPartial || difference.unseen.length > 0 ? 'a part' : 'all',
    changes: [...other, ...of(certain, true), ...of(possible, false)],
  }
}
