import type { DependencyStatus, StoredDocument } from '../domain/document.js'
import { columns } from './format/columns.js'
import type { Style } from './format/style.js'
import { table } from './format/table.js'
import { moment } from './format/times.js'

/** All documents, a line each. */
export function documentList({ symbol }: Style, documents: readonly StoredDocument[]): string {
  if (documents.length === 0) return 'No document yet. Next: qanat document new'
  const headings = [
    `${symbol('🔖')}Name`,
    `${symbol('🔍')}Status`,
    `${symbol('🧪')}Experiments`,
    `${symbol('📁')}Path`,
    `${symbol('🏷')}Tags`,
    `${symbol('💬')}Description`,
  ]
  const rows = documents.map(document => [
    document.name,
    compiledText(document),
    [...new Set(document.dependencies.map(({ experiment }) => experiment))].join(', '),
    document.path,
    document.tags.join(', '),
    document.description,
  ])
  return table(headings, rows)
}

/** The card of a document and how its dependencies stand. */
export function documentStatusText(
  style: Style,
  document: StoredDocument,
  statuses: readonly DependencyStatus[],
): string {
  const { symbol } = style
  const command = (words: string, script: string) => [words, script].filter(word => word !== '').join(' ')
  const lines = [
    `${symbol('🔖')}Name: ${document.name}`,
    `${symbol('💬')}Description: ${document.description}`,
    `${symbol('📁')}Path: ${document.path}`,
    `${symbol('⚙')}Compile: ${command(document.compileScriptCommand, document.compileScript)}`,
    `${symbol('👁')}View: ${command(document.viewScriptCommand, document.viewScript)}`,
    `${symbol('🏷')}Tags: ${document.tags.join(', ')}`,
    `${symbol('🔍')}Status: ${compiledText(document)}`,
  ]
  const card = lines.map(line => line.trimEnd()).join('\n')
  if (statuses.length === 0) {
    return `${card}\n\nIt depends on nothing. Next: qanat document add_dependency ${document.name} EXPERIMENT --file FILE`
  }
  const next = statuses.every(({ state }) => state === 'up to date')
    ? ''
    : `\nNext: qanat document compile ${document.name}`
  return `${card}\n\n${dependencyTable(style, statuses)}\n${next}`
}

/** Dependencies, a line each, with how they stand and why. */
export function dependencyTable(style: Style, statuses: readonly DependencyStatus[]): string {
  const { symbol } = style
  const headings = [
    `${symbol('🧪')}Experiment`,
    `${symbol('📄')}Arguments`,
    `${symbol('🔍')}Status`,
    `${symbol('🆔')}Run`,
    `${symbol('🛠')}Action`,
    `${symbol('📁')}Files`,
    `${symbol('💬')}Why`,
  ]
  const rows = statuses.map(({ dependency, state, run, why }) => [
    dependency.experiment,
    dependency.runArgsFile ?? '-',
    stateText(style, state),
    run ? String(run.id) : '-',
    dependency.action ?? '-',
    dependency.files.join(', '),
    why,
  ])
  return columns([headings, ...rows])
}

function stateText({ colour }: Style, state: DependencyStatus['state']): string {
  return { 'up to date': colour.green, stale: colour.yellow, missing: colour.red }[state](state)
}

function compiledText({ compiled }: StoredDocument): string {
  return compiled === null ? 'not compiled' : `compiled ${moment(compiled)}`
}
