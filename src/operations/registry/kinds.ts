import type { Dataset } from '../../domain/dataset.js'
import type { Experiment } from '../../domain/experiment.js'
import { isModule } from '../../domain/script-places.js'
import { UserError } from '../../errors.js'
import { datasetToYaml, readDataset } from '../../project/dataset-description.js'
import { experimentToYaml, readExperiment } from '../../project/experiment-description.js'
import { cleanProjectPath } from '../../project/paths.js'
import type { Workspace } from '../workspace.js'
import { isOnThisMachine, trashedWith } from './datasets-now.js'
import { documentKind } from './document-kind.js'
import { findDataset } from './find-experiment.js'
import type { Kind } from './kind.js'
import { executableIn } from './script-file.js'
import { checkStage, checkStagesOf } from './stages.js'

/** Experiments. Those that have runs are not deleted: their records would be lost. */
export const experimentKind: Kind<Experiment> = {
  name: 'experiment',
  needed: ['name', 'executable'],
  table: store => store.experiments,
  read: readExperiment,
  toYaml: experimentToYaml,
  normal: (root, experiment) => ({
    ...experiment,
    path: cleanProjectPath(root, experiment.path, root),
    executable: isModule(experiment) ? experiment.executable : cleanProjectPath(root, experiment.executable, root),
  }),
  check: (workspace, experiment) => {
    if (experiment.executable === '') throw new UserError(`experiment ${experiment.name} has no executable`)
    for (const name of experiment.datasets) findDataset(workspace, name)
    checkStagesOf(workspace, experiment)
    executableIn(workspace, experiment, experiment.name)
  },
  refuseUsed: refuseUsedExperiment,
  renameInUsers: ({ store }, former, name, rename) => {
    for (const document of store.documents.list()) {
      if (!document.dependencies.some(({ experiment }) => experiment === former)) continue
      const dependencies = document.dependencies.map(each => ({
        ...each,
        experiment: each.experiment === former ? name : each.experiment,
      }))
      rename(documentKind, { ...document, dependencies })
    }
    for (const dataset of madeBy(store, former))
      rename(datasetKind, { ...dataset, from: { ...dataset.from!, experiment: name } })
  },
}

/** Datasets. A missing path is only a warning: it may exist on the nodes. */
export const datasetKind: Kind<Dataset> = {
  name: 'dataset',
  needed: ['name', 'path'],
  table: store => store.datasets,
  read: readDataset,
  toYaml: datasetToYaml,
  normal: (root, dataset) => ({ ...dataset, path: dataset.path && cleanProjectPath(root, dataset.path, root) }),
  check: (workspace, { name, path, from }) => {
    if (from) checkStage(workspace, name, from)
    else if (path !== null && !isOnThisMachine(workspace, path))
      workspace.warn(`the path of dataset ${name} does not exist here: ${path}${trashedWith(workspace, path)}`)
  },
  refuseUsed: (workspace, name) => {
    const users = readersOf(workspace, name).map(experiment => experiment.name)
    if (users.length === 0) return
    throw new UserError(
      `dataset ${name} is read by ${users.join(', ')}`,
      `qanat experiment update ${users[0]}        first removes it from that experiment`,
    )
  },
  renameInUsers: (workspace, former, name, rename) => {
    for (const experiment of readersOf(workspace, former)) {
      const datasets = experiment.datasets.map(each => (each === former ? name : each))
      rename(experimentKind, { ...experiment, datasets })
    }
  },
}

function readersOf({ store }: Workspace, dataset: string): Experiment[] {
  const experiments = store.experiments.list().map(({ experiment }) => experiment)
  return experiments.filter(({ datasets }) => datasets.includes(dataset))
}

/** The datasets that an experiment makes. */
function madeBy(store: Workspace['store'], experiment: string): Dataset[] {
  return store.datasets.list().filter(({ from }) => from?.experiment === experiment)
}

/** @throws UserError if it has runs, or runs in the trash, which could not be restored any more, or a document depends on it */
function refuseUsedExperiment({ store }: Workspace, name: string): void {
  const ids = store.runs.listOf(name).map(({ id }) => id)
  if (ids.length > 0) {
    throw new UserError(
      `experiment ${name} has ${ids.length === 1 ? 'a run' : `${ids.length} runs`}, whose records would be lost: delete them first`,
      `qanat experiment status ${name}        shows them`,
    )
  }
  const trashed = store.runs.deleted().filter(({ experiment }) => experiment === name)
  if (trashed.length > 0) {
    throw new UserError(
      `experiment ${name} has ${trashed.length === 1 ? 'a run' : `${trashed.length} runs`} in the trash, and without it none could be restored: empty it first`,
      'qanat trash list        shows them',
    )
  }
  const [made] = madeBy(store, name)
  if (made) {
    throw new UserError(
      `dataset ${made.name} is made by experiment ${name}`,
      `qanat dataset update ${made.name}        first changes where it is from`,
    )
  }
  const documents = store.documents.list()
  const users = documents.filter(({ dependencies }) => dependencies.some(({ experiment }) => experiment === name))
  if (users.length > 0) {
    throw new UserError(
      `the document ${users.map(document => document.name).join(', ')} depends on experiment ${name}`,
      `qanat document update ${users[0]!.name}        first changes its dependencies`,
    )
  }
}
