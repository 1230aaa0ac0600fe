import type { Dataset } from '../../domain/dataset.js'
import type { StoredDocument } from '../../domain/document.js'
import type { Experiment } from '../../domain/experiment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'

/** @throws UserError with the nearest name */
export function findExperiment({ store }: Workspace, name: string): Experiment {
  return store.experiments.find(name) ?? unknown('experiment', name, store.experiments.names())
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

/** A run of that experiment. @throws UserError that says which runs there are, or whose run it is */
export function findRun(workspace: Workspace, experimentName: string, id: string): Run {
  const experiment = findExperiment(workspace, experimentName)
  const run = /^\d+$/.test(id) ? workspace.store.runs.find(Number(id)) : null
  if (run?.experiment === experiment.name) return run
  if (run) {
    throw new UserError(
      `run ${id} is of ${run.experiment}, not of ${experiment.name}`,
      `name it: ${run.experiment} ${id}`,
    )
  }
  const ids = workspace.store.runs.listOf(experiment.name).map(other => other.id)
  const there =
    ids.length === 0 ? 'it has none yet' : `there are ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
  throw new UserError(`no run '${id}' of ${experiment.name}: ${there}`, `qanat experiment status ${experiment.name}`)
}

/** Index of a group as it was typed. @throws UserError that says which groups there are */
export function readGroup(run: Run, text: string): number {
  const total = totalOf(run.counts)
  if (/^\d+$/.test(text) && Number(text) < total) return Number(text)
  throw new UserError(
    `run ${run.id} has no group '${text}'`,
    total === 1 ? 'its only group is 0' : `its groups are 0 to ${total - 1}`,
  )
}

function unknown(kind: string, name: string, names: readonly string[]): never {
  const meant = nearest(name, names)
  const suggestion = meant ? `. Did you mean ${meant}?` : ''
  const count = names.length === 1 ? 'the one there is' : `the ${names.length} there are`
  const hint =
    names.length === 0 ? `qanat ${kind} new        registers one` : `qanat ${kind} list        shows ${count}`
  throw new UserError(`no ${kind} '${name.length > 80 ? `${name.slice(0, 80)}…` : name}'${suggestion}`, hint)
}
