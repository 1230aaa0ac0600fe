import type { Dataset } from '../../domain/dataset.js'
import type { StoredDocument } from '../../domain/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { fewOf, nearest } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'
import { isScriptFile } from './script-file.js'

/** @throws UserError with the nearest name */
export function findExperiment(workspace: Workspace, name: string): Experiment {
  const { store } = workspace
  const found = store.experiments.find(name)
  if (found) return found
  const runsIt = store.experiments.list().find(({ experiment }) => isScript(experiment, name))?.experiment
  if (!runsIt) return refuseUnknown(workspace, name)
  throw new UserError(
    `no experiment '${name}', and the experiment ${runsIt.name} runs that script. Did you mean ${runsIt.name}?`,
    `qanat run ${runsIt.name}        runs it`,
  )
}

function refuseUnknown(workspace: Workspace, name: string): never {
  if (!isScriptFile(workspace, name)) return unknown('experiment', name, workspace.store.experiments.names())
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

export function isExperiment({ store }: Workspace, name: string): boolean {
  return store.experiments.find(name) !== null
}

/** @throws UserError with the nearest name */
export function findDataset({ store }: Workspace, name: string): Dataset {
  return (
    store.datasets.find(name) ??
    unknown(
      'dataset',
      name,
      store.datasets.list().map(dataset => dataset.name),
    )
  )
}

/** @throws UserError with the nearest name */
export function findDocument({ store }: Workspace, name: string): StoredDocument {
  return store.documents.find(name) ?? unknown('document', name, store.documents.names())
}

function unknown(kind: string, name: string, names: readonly string[]): never {
  const meant = nearest(name, names)
  const suggestion = meant ? `. Did you mean ${meant}?` : ''
  const count = names.length === 1 ? `the only one, ${names[0]}` : fewOf(names)
  const hint =
    names.length === 0 ? `qanat ${kind} new        registers one` : `qanat ${kind} list        shows ${count}`
  throw new UserError(`no ${kind} '${name.length > 80 ? `${name.slice(0, 80)}…` : name}'${suggestion}`, hint)
}
