import type { Experiment } from '../../domain/experiment.js'
import { exists } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { findDataset } from './find-experiment.js'

/** Absolute paths of an experiment's datasets in the project. */
export function datasetPaths(workspace: Workspace, experiment: Experiment): string[] {
  const paths = experiment.datasets.map(name => absolutePath(workspace, findDataset(workspace, name).path))
  warnOfMissing(workspace, paths)
  return paths
}

/** Warns of missing paths; they may exist on the nodes. */
export function warnOfMissing(workspace: Workspace, paths: readonly string[]): void {
  const missing = paths.filter(path => !exists(path))
  for (const path of missing) workspace.warn(`the dataset path ${path} is not on this machine`)
}
