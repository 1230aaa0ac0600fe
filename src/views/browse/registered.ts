import type { StoredDataset } from '../../domain/dataset.js'
import type { DependencyStatus, StoredDocument } from '../../domain/documents/document.js'
import { groupBy } from '../../domain/group-by.js'
import type { BrowsedDataset, BrowsedDocument } from '../../operations/browse/registered.js'
import { plainStyle } from '../format/style.js'
import type { Column } from '../model.js'
import { placeColumn } from '../registry/dataset.js'
import { dependencyColumns, documentColumns, nextStep } from '../registry/document.js'
import { experimentLink, pageTable, runLink } from '../render/page.js'
import { headingOf, textOf } from '../render/terminal.js'
import { descriptionColumn, pathColumn, tagsColumn } from '../shared-columns.js'

// What the pages of documents and of datasets show, as data.

/** The list of documents. */
export function documentsPage(documents: readonly BrowsedDocument[]) {
  const { compiled, experiments } = documentColumns
  const columns: Column<BrowsedDocument>[] = [
    { key: 'name', title: 'Document', value: ({ document }) => document.name },
    { key: 'needs', title: 'What it needs', value: ({ statuses }) => stateCounts(statuses) },
    ...[compiled, experiments, pathColumn, tagsColumn, descriptionColumn].map(ofDocument),
  ]
  return { table: pageTable({ columns, rows: documents }, ({ document }) => ({ link: documentLink(document.name) })) }
}

/** A document with what it needs. */
export function documentPage(document: StoredDocument, statuses: readonly DependencyStatus[]) {
  const { compiled, compile, view } = documentColumns
  const facts = [pathColumn, compile, view, tagsColumn, compiled]
    .map(column => ({
      title: headingOf(column, plainStyle),
      text: textOf<StoredDocument>(column, document, plainStyle),
    }))
    .filter(({ text }) => text !== '')
  const columns: Column<DependencyStatus>[] = Object.values(dependencyColumns)
  const table = pageTable({ columns, rows: statuses }, ({ dependency, provider }) => ({
    link: provider?.runs.length === 1 ? runLink(provider.runs[0]!.id) : experimentLink(dependency.experiment),
  }))
  return { name: document.name, description: document.description, facts, table, next: nextStep(document, statuses) }
}

/** The list of datasets, with what has changed since the last run that has read each. */
export function datasetsPage(datasets: readonly BrowsedDataset[]) {
  const columns: Column<BrowsedDataset>[] = [
    { key: 'name', title: 'Dataset', value: ({ dataset }) => dataset.name },
    ofDataset(placeColumn),
    { key: 'experiments', title: 'Read by', value: ({ experiments }) => experiments },
    { key: 'state', title: 'Since then', value: freshness },
    ...[tagsColumn, descriptionColumn].map(ofDataset),
  ]
  const about = ({ run }: BrowsedDataset) => (run === null ? {} : { link: runLink(run) })
  return { table: pageTable({ columns, rows: datasets }, about) }
}

function freshness({ run, compared, changes }: BrowsedDataset): string {
  if (run === null) return 'no run has read it'
  if (changes.length === 0 && compared === 'nothing') return `not known: what run ${run} has read cannot be compared`
  if (changes.length === 0)
    return `as run ${run} has read it${compared === 'all' ? '' : ', in the part that was compared'}`
  return changes.map(({ text, isCertain }) => (isCertain ? text : `perhaps changed: ${text}`)).join('; ')
}

/** `2 up to date, 1 stale` */
function stateCounts(statuses: readonly DependencyStatus[]): string {
  return [...groupBy(statuses, ({ state }) => state)].map(([state, those]) => `${those.length} ${state}`).join(', ')
}

/** The page of a document. */
function documentLink(name: string): string {
  return `/documents/${encodeURIComponent(name)}`
}

function ofDocument(column: Column<StoredDocument>): Column<BrowsedDocument> {
  const text = ({ document }: BrowsedDocument) => textOf(column, document, plainStyle)
  return { ...column, value: text, text }
}

function ofDataset(column: Column<StoredDataset>): Column<BrowsedDataset> {
  const text = ({ dataset }: BrowsedDataset) => textOf(column, dataset, plainStyle)
  return { ...column, value: text, text }
}
