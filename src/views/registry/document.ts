import {
  type Dependency,
  type DependencyStatus,
  dependencyText,
  providedFiles,
  type StoredDocument,
} from '../../domain/documents/document.js'
import type { Style } from '../format/style.js'
import { isoTime, moment } from '../format/times.js'
import { type Column, columnsOf } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalCard, terminalTable } from '../render/terminal.js'
import { descriptionColumn, idColumn, nameColumn, pathColumn, tagsColumn } from '../shared-columns.js'

const document = columnsOf<StoredDocument>()
const needed = columnsOf<DependencyStatus>()

/** Columns of documents beside those of all registered things. */
export const documentColumns = {
  compiled: document('compiled', 'Status', ({ compiled }) => isoTime(compiled), {
    symbol: '🔍',
    text: ({ compiled }) => (compiled === null ? 'not compiled' : `compiled ${moment(compiled)}`),
  }),
  experiments: document(
    'experiments',
    'Experiments',
    ({ dependencies }) => [...new Set(dependencies.map(({ experiment }) => experiment))],
    { symbol: '🧪' },
  ),
  compile: document('compile_script', 'Compile', ({ compileScript }) => compileScript, {
    symbol: '⚙',
    text: ({ compileScriptCommand, compileScript }) => commandText(compileScriptCommand, compileScript),
  }),
  view: document('view_script', 'View', ({ viewScript }) => viewScript, {
    symbol: '👁',
    text: ({ viewScriptCommand, viewScript }) => commandText(viewScriptCommand, viewScript),
  }),
} satisfies Readonly<Record<string, Column<StoredDocument>>>

function commandText(words: string, script: string): string {
  return [words, script].filter(word => word !== '').join(' ')
}

/** Columns of the table of a document's dependencies. */
export const dependencyColumns = {
  experiment: needed('experiment', 'Experiment', ({ dependency }) => dependency.experiment, { symbol: '🧪' }),
  argumentsFile: needed('run_args_file', 'Arguments', ({ dependency }) => dependency.runArgsFile, {
    symbol: '📄',
    text: ({ dependency }) => dependency.runArgsFile ?? '-',
  }),
  status: needed('status', 'Status', ({ state }) => state, {
    symbol: '🔍',
    text: ({ state }, { colour }) =>
      ({ 'up to date': colour.green, stale: colour.yellow, missing: colour.red })[state](state),
  }),
  runs: needed('runs', 'Run', ({ provider }) => provider?.runs.map(({ id }) => id) ?? [], {
    symbol: '🆔',
    text: ({ provider }) => provider?.runs.map(({ id }) => id).join(', ') ?? '-',
  }),
  action: needed('action', 'Action', ({ dependency }) => dependency.action, {
    symbol: '🛠',
    text: ({ dependency }) => dependency.action ?? '-',
  }),
  files: { key: 'files', title: 'Files', symbol: '📁', value: ({ dependency }) => providedFiles(dependency) },
  why: { key: 'why', title: 'Why', symbol: '💬', value: ({ why }) => why },
} satisfies Readonly<Record<string, Column<DependencyStatus>>>

/** The files that `why` says have changed, for programs. */
export const changedColumn: Column<DependencyStatus> = { key: 'changed', value: ({ changed }) => changed }

const { compiled, experiments } = documentColumns
const listColumns = [idColumn, nameColumn, pathColumn, compiled, experiments, tagsColumn, descriptionColumn]

/** All documents, one a line. */
export function documentList(style: Style, documents: readonly StoredDocument[]): string {
  if (documents.length === 0) return 'No document yet. Next: qanat document new'
  return terminalTable({ columns: listColumns, rows: documents }, style, 'short')
}

/** The same as CSV. */
export function documentsCsv(documents: readonly StoredDocument[]): string {
  return csvTable({ columns: listColumns, rows: documents })
}

/** The card of a document and the state of its dependencies. */
export function documentStatusText(
  style: Style,
  document: StoredDocument,
  statuses: readonly DependencyStatus[],
): string {
  const { compile, view } = documentColumns
  const shown = [nameColumn, descriptionColumn, pathColumn, compile, view, tagsColumn, compiled]
  const card = terminalCard(shown, document, style)
  if (statuses.length === 0) {
    return `${card}\n\nIt has no dependencies. Next: qanat document add_dependency ${document.name}`
  }
  const next = nextStep(document, statuses)
  return `${card}\n\n${dependencyTable(style, statuses)}\n${next === null ? '' : `\nNext: ${next}`}`
}

/** The command that brings a document up to date; null if it is. */
export function nextStep({ name }: StoredDocument, statuses: readonly DependencyStatus[]): string | null {
  if (statuses.every(({ state }) => state === 'up to date')) return null
  const trashed = statuses.flatMap(status => status.trashed ?? [])
  return `qanat ${trashed.length > 0 ? `trash restore ${trashed.join(' ')}` : `document compile ${name}`}`
}

/** The message after a dependency was removed from a document. */
export function removedText(document: string, dependency: Dependency): string {
  return `Document ${document} no longer depends on ${dependencyText(dependency)}.`
}

/** Dependencies, one a line, with their state and its reason. */
export function dependencyTable(style: Style, statuses: readonly DependencyStatus[]): string {
  return terminalTable({ columns: Object.values(dependencyColumns), rows: statuses }, style, 'whole')
}
