import type { StoredDataset } from '../../domain/dataset.js'
import type { DependencyStatus, StoredDocument } from '../../domain/documents/document.js'
import { type ChangeText, DataNow } from '../data/data-now.js'
import { documentStatus } from '../documents/document-status.js'
import { StagesNow } from '../documents/stages-now.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import type { Workspace } from '../workspace.js'

/** How many milliseconds are spent on the files of all datasets. */
const dataTime = 2_000

/** A document, and how what it needs is now. */
export interface BrowsedDocument {
  readonly document: StoredDocument
  readonly statuses: readonly DependencyStatus[]
}

/** Looks at documents. Nothing is launched or exported. */
export async function browsedDocuments(
  workspace: Workspace,
  documents: readonly StoredDocument[],
): Promise<BrowsedDocument[]> {
  const found: BrowsedDocument[] = []
  for (const document of documents) {
    found.push({ document, statuses: (await documentStatus(workspace, document)).statuses })
  }
  return found
}

/** A dataset, and whether it is still as it was read. */
export interface BrowsedDataset {
  readonly dataset: StoredDataset
  /** Those that read it. */
  readonly experiments: readonly string[]
  /** The last run that has read it; null if none has. */
  readonly run: number | null
  /** What has changed since, a sentence each. Where only the times of files differ, it has perhaps changed. */
  readonly changes: readonly { readonly text: string; readonly isCertain: boolean }[]
}

/** All datasets. Files that could not be looked at in two seconds count as unchanged. */
export async function browsedDatasets(workspace: Workspace): Promise<BrowsedDataset[]> {
  const { store } = workspace
  const experiments = store.experiments.list().map(({ experiment }) => experiment)
  const readers = lastReaders(workspace)
  const now = { data: new DataNow(workspace, dataTime), stages: new StagesNow(workspace) }
  const found: BrowsedDataset[] = []
  for (const dataset of store.datasets.list()) {
    const { name } = dataset
    const last = readers.get(name) ?? null
    found.push({
      dataset,
      experiments: experiments.filter(({ datasets }) => datasets.includes(name)).map(each => each.name),
      run: last?.run ?? null,
      changes: last === null ? [] : await changesOf(workspace, last, now),
    })
  }
  return found
}

/** A run that has read a dataset, by the name that it recorded. */
interface Reader {
  readonly run: number
  readonly recorded: string
}

/** The last run that has read each dataset, by the names of now. */
function lastReaders(workspace: Workspace): Map<string, Reader> {
  const { store } = workspace
  const now = new DatasetsNow(workspace)
  const wanted = new Set(store.datasets.list().map(({ name }) => name))
  const found = new Map<string, Reader>()
  return store.reading(() => {
    for (const run of store.data.readers()) {
      if (wanted.size === 0) break
      const definition = store.runs.definition(run)
      for (const [at, name] of now.namesOf(definition).entries()) {
        if (wanted.delete(name)) found.set(name, { run, recorded: definition.experiment.datasets[at]! })
      }
    }
    return found
  })
}

async function changesOf(
  { store }: Workspace,
  { run: id, recorded }: Reader,
  { data, stages }: { data: DataNow; stages: StagesNow },
): Promise<BrowsedDataset['changes']> {
  const run = store.runs.get(id)
  const { certain, possible } = await data.sentences(run)
  const of = (changes: readonly ChangeText[], isCertain: boolean) =>
    changes.flatMap(({ dataset, text }) => (dataset === recorded ? [{ text, isCertain }] : []))
  const other = (await stages.changes(run, [recorded])).map(text => ({ text, isCertain: true }))
  return [...other, ...of(certain, true), ...of(possible, false)]
}
