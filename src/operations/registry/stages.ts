import type { Stage } from '../../domain/dataset.js'
import type { Experiment } from '../../domain/experiment.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'
import { findExperiment } from './find-experiment.js'

/** @throws UserError if a dataset is made by an experiment that is not registered, or that reads the dataset itself */
export function checkStage(workspace: Workspace, name: string, { experiment }: Stage): void {
  const { datasets } = findExperiment(workspace, experiment)
  if (stagesBehind(workspace, datasets).has(name)) refuseCircle(experiment, name)
}

/** @throws UserError if an experiment reads a dataset that it makes */
export function checkStagesOf(workspace: Workspace, { name, datasets }: Experiment): void {
  const own = [...stagesBehind(workspace, datasets)].find(
    dataset => workspace.store.datasets.find(dataset)?.from?.experiment === name,
  )
  if (own !== undefined) refuseCircle(name, own)
}

function refuseCircle(experiment: string, dataset: string): never {
  throw new UserError(
    `the experiment ${experiment} would make the dataset ${dataset}, and reads it, perhaps through other stages`,
    'a stage reads what earlier ones make',
  )
}

/** Some datasets, and those from which experiments make them, stage by stage. */
function stagesBehind({ store }: Workspace, datasets: readonly string[]): Set<string> {
  const found = new Set(datasets)
  for (const dataset of found) {
    const maker = store.datasets.find(dataset)?.from?.experiment
    const before = maker === undefined ? [] : (store.experiments.find(maker)?.datasets ?? [])
    for (const earlier of before) found.add(earlier)
  }
  return found
}

/** The experiments that make what an experiment reads, directly or through others. */
export function makersBehind(workspace: Workspace, experiment: string): Set<string> {
  const { store } = workspace
  const datasets = stagesBehind(workspace, store.experiments.find(experiment)?.datasets ?? [])
  return new Set([...datasets].flatMap(name => store.datasets.find(name)?.from?.experiment ?? []))
}
