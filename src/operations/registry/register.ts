import { isAbsolute } from 'node:path'
import type { Dataset } from '../../domain/dataset.js'
import type { Experiment } from '../../domain/experiment.js'
import { checkName, checkNewName, type NamedKind } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { DefinitionKind } from '../../project/definitions.js'
import { cleanProjectPath } from '../../project/paths.js'
import { renewRunYaml } from '../folder/run-files.js'
import type { Workspace } from '../workspace.js'
import { isOnThisMachine, trashedWith } from './dataset-paths.js'
import { findDataset, findExperiment } from './find-experiment.js'
import { executableIn } from './script-file.js'

/**
 * Registers a dataset. A missing path is only a warning: it may exist on the nodes.
 * @param file the file that describes it, see {@link rememberFile}
 */
export function addDataset(workspace: Workspace, dataset: Dataset, file: string | null = null): Dataset {
  const checked = checkDataset(workspace, dataset)
  const { store } = workspace
  store.transaction(() => {
    refuseTaken('dataset', checked.name, store.datasets.find(checked.name))
    store.datasets.insert(checked)
    rememberFile(workspace, 'dataset', checked.name, file)
  })
  return checked
}

/** Replaces the dataset of that name. @param file see {@link rememberFile} */
export function changeDataset(
  workspace: Workspace,
  name: string,
  dataset: Dataset,
  file: string | null = null,
): Dataset {
  const checked = checkDataset(workspace, dataset)
  const { store } = workspace
  store.transaction(() => {
    findDataset(workspace, name)
    if (checked.name !== name) refuseTaken('dataset', checked.name, store.datasets.find(checked.name))
    store.datasets.update(name, checked)
    rememberFile(workspace, 'dataset', checked.name, file)
  })
  return checked
}

/** @throws UserError if a dataset cannot be deleted, since an experiment reads it */
export function checkUnread(workspace: Workspace, name: string): Dataset {
  const dataset = findDataset(workspace, name)
  const users = workspace.store.datasets.users(name)
  if (users.length === 0) return dataset
  throw new UserError(
    `dataset ${name} is read by ${users.join(', ')}`,
    `qanat experiment update ${users[0]}        first removes it from that experiment`,
  )
}

/** Deletes a dataset from the database; its files are kept. @throws UserError see {@link checkUnread} */
export function removeDataset(workspace: Workspace, name: string): void {
  const { store } = workspace
  store.transaction(() => {
    checkUnread(workspace, name)
    store.datasets.delete(name)
  })
}

/** Registers an experiment. @param file see {@link rememberFile} */
export function addExperiment(workspace: Workspace, experiment: Experiment, file: string | null = null): Experiment {
  const checked = checkExperiment(workspace, experiment)
  const { store } = workspace
  store.transaction(() => {
    refuseTaken('experiment', checked.name, store.experiments.find(checked.name))
    store.experiments.insert(checked)
    rememberFile(workspace, 'experiment', checked.name, file)
  })
  return checked
}

/** Replaces the experiment of that name; its runs keep what they recorded but for its name. @param file see {@link rememberFile} */
export function changeExperiment(
  workspace: Workspace,
  name: string,
  experiment: Experiment,
  file: string | null = null,
): Experiment {
  const checked = checkExperiment(workspace, experiment)
  const { store } = workspace
  store.transaction(() => {
    findExperiment(workspace, name)
    if (checked.name !== name) refuseTaken('experiment', checked.name, store.experiments.find(checked.name))
    store.experiments.update(name, checked)
    rememberFile(workspace, 'experiment', checked.name, file)
  })
  if (checked.name !== name) for (const { id } of store.runs.listOf(checked.name)) renewRunYaml(workspace, id)
  return checked
}

/**
 * @throws UserError if an experiment cannot be deleted: it has runs, whose records would be lost, or runs in the trash, which
 * could not be restored any more, or a document depends on it
 */
export function checkUnused(workspace: Workspace, name: string): void {
  findExperiment(workspace, name)
  const { store } = workspace
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
  const users = store.documents.users(name)
  if (users.length > 0) {
    throw new UserError(
      `the document ${users.join(', ')} depends on experiment ${name}`,
      `qanat document update ${users[0]}        first changes its dependencies`,
    )
  }
}

/** Deletes an experiment from the database; its files are kept. @throws UserError see {@link checkUnused} */
export function removeExperiment(workspace: Workspace, name: string): void {
  const { store } = workspace
  store.transaction(() => {
    checkUnused(workspace, name)
    store.experiments.delete(name)
  })
}

/** @throws UserError if the name is taken, or cannot be given to a new thing */
export function refuseTaken(kind: NamedKind, name: string, taken: object | null): void {
  checkNewName(kind, name)
  if (taken) {
    throw new UserError(`${kind} '${name}' already exists`, `qanat ${kind} update ${name}        changes it`)
  }
}

/** The form in which it is registered. @throws UserError if it cannot be */
export function checkDataset(workspace: Workspace, dataset: Dataset): Dataset {
  checkName('dataset', dataset.name)
  if (dataset.path === '') throw new UserError(`dataset ${dataset.name} has no path`)
  const path = cleanProjectPath(workspace.project.root, dataset.path, workspace.project.root)
  if (!isOnThisMachine(workspace, path))
    workspace.warn(`the path of dataset ${dataset.name} does not exist here: ${path}${trashedWith(workspace, path)}`)
  return { ...dataset, path }
}

/** The form in which it is registered. @throws UserError if it cannot be */
export function checkExperiment(workspace: Workspace, experiment: Experiment): Experiment {
  checkName('experiment', experiment.name)
  if (experiment.executable === '') throw new UserError(`experiment ${experiment.name} has no executable`)
  for (const name of experiment.datasets) findDataset(workspace, name)
  const { root } = workspace.project
  const path = cleanProjectPath(root, experiment.path, root)
  return { ...experiment, path, executable: executableIn(workspace, { ...experiment, path }, experiment.name) }
}

/**
 * Stores which file describes a thing, so that differences from it can be shown.
 * @param file relative to the folder of the user, or absolute; nothing changes for null or a file outside the project
 */
export function rememberFile(
  { project, store, cwd }: Workspace,
  kind: DefinitionKind,
  name: string,
  file: string | null,
): void {
  if (file === null) return
  const path = cleanProjectPath(project.root, file, cwd)
  if (!isAbsolute(path) && !path.startsWith('..')) store.definitions.set(kind, name, path)
}
