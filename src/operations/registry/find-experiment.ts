import type { Dataset } from '../../domain/dataset.js'
import type { StoredDocument } from '../../domain/documents/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { readDefinitionFile } from '../../project/yaml/definition-file.js'
import type { DefinitionTable } from '../../store/registry/definitions.js'
import type { Store } from '../../store/store.js'
import type { Workspace } from '../workspace.js'
import type { Registered } from './kind.js'
import { isScriptFile } from './script-file.js'

/** What its file said when it could be read last. @throws UserError with the nearest name */
export function findExperiment(workspace: Workspace, name: string): Experiment {
  const { store } = workspace
  const found = store.experiments.find(name)
  if (found) return found
  refuseBroken(store.experiments, name)
  const runsIt = store.experiments.list().find(({ experiment }) => isScript(experiment, name))?.experiment
  if (!runsIt) return refuseUnknown(workspace, name)
  throw new UserError(
    `no experiment '${name}', and the experiment ${runsIt.name} runs that script. Did you mean ${runsIt.name}?`,
    `qanat run ${runsIt.name}        runs it`,
  )
}

function refuseUnknown(workspace: Workspace, name: string): never {
  const { experiments } = workspace.store
  if (claimants(experiments, name).length > 0 || !isScriptFile(workspace, name))
    return unknownIn(experiments, 'experiment', name)
  throw new UserError(
    `${name} is a script, and no experiment yet`,
    `${displayCommand(['qanat', 'experiment', 'new', name])}        registers it`,
  )
}

/** Whether a word is the path of an experiment's script, or the name of the file. */
function isScript({ executable }: Experiment, word: string): boolean {
  const path = word.replace(/^\.\//, '')
  return executable === path || (!path.includes('/') && executable.endsWith(`/${path}`))
}

/** The same for a launch. @throws UserError if its file cannot be read now, or says something else */
export function intactExperiment(workspace: Workspace, name: string): Experiment {
  const experiment = findExperiment(workspace, name)
  refuseBroken(workspace.store.experiments, name)
  refuseMissingDatasets(workspace, experiment)
  return experiment
}

/** @throws UserError that says where a dataset is named that is not registered */
export function refuseMissingDatasets(workspace: Workspace, { name, datasets }: Experiment): void {
  const { store, project } = workspace
  const { file = '' } = store.experiments.entry(name) ?? {}
  for (const [at, dataset] of datasets.entries()) {
    if (store.datasets.find(dataset)) continue
    readDefinitionFile(project.root, file).at(['datasets', at], () => findDataset(workspace, dataset))
  }
}

/** @throws UserError that says what is wrong with a definition, and where */
function refuseBroken(table: Pick<Store['experiments'], 'entry'>, name: string): void {
  const problem = table.entry(name)?.problem
  if (problem) throw new UserError(problem.message, problem.hint)
}

export function isExperiment({ store }: Workspace, name: string): boolean {
  return store.experiments.find(name) !== null
}

/** What its file said when it could be read last, also by a former name. @throws UserError with the nearest name */
export function findDataset({ store }: Workspace, name: string): Dataset {
  const found = store.datasets.find(name) ?? store.datasets.list().find(({ was }) => was?.includes(name))
  if (found) return found
  refuseBroken(store.datasets, name)
  return unknownIn(store.datasets, 'dataset', name)
}

/** The same for a launch. @throws UserError if its file cannot be read now, or says something else */
export function intactDataset(workspace: Workspace, name: string): Dataset {
  const dataset = findDataset(workspace, name)
  refuseBroken(workspace.store.datasets, dataset.name)
  return dataset
}

/** What its file said when it could be read last. @throws UserError with the nearest name */
export function findDocument({ store }: Workspace, name: string): StoredDocument {
  const found = store.documents.find(name)
  if (found) return found
  refuseBroken(store.documents, name)
  return unknownIn(store.documents, 'document', name)
}

/** The same to be compiled. @throws UserError if its file cannot be read now, or says something else */
export function intactDocument(workspace: Workspace, name: string): StoredDocument {
  const document = findDocument(workspace, name)
  refuseBroken(workspace.store.documents, name)
  return document
}

type Named = Pick<DefinitionTable<Registered>, 'names' | 'find'>

/** Those that say that they had a name before. */
export function claimants(table: Named, former: string): string[] {
  return table.names().filter(name => table.find(name)?.was?.includes(former))
}

/** @throws UserError with its name of now, or with the nearest one */
export function unknownIn(table: Named, kind: string, name: string): never {
  const [renamed] = claimants(table, name)
  if (renamed === undefined) return unknown(kind, name, table.names())
  throw new UserError(`no ${kind} '${name}': its name is ${renamed} now`, `write ${renamed} instead of ${name}`)
}

/** @throws UserError with the nearest name */
function unknown(kind: string, name: string, names: readonly string[]): never {
  const meant = nearest(name, names)
  const suggestion = meant ? `. Did you mean ${meant}?` : ''
  const count = names.length === 1 ? `the only one, ${names[0]}` : fewOf(names)
  const hint =
    names.length === 0 ? `qanat ${kind} new        registers one` : `qanat ${kind} list        shows ${count}`
  throw new UserError(`no ${kind} '${name.length > 80 ? `${name.slice(0, 80)}…` : name}'${suggestion}`, hint)
}
