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
  for (const path of missing)
    workspace.warn(`the dataset path ${path} is not on this machine${trashedWith(workspace, path)}`)
}

/** Where a path is that lay in a deleted run, as the rest of a sentence; empty for any other. @param path as it is stored */
export function trashedWith(workspace: Workspace, path: string): string {
  const place = `${absolutePath(workspace, path)}/`
  const deleted = workspace.store.runs.deleted()
  const run = deleted.find(({ storagePath }) => place.startsWith(`${absolutePath(workspace, storagePath)}/`))
  return run ? `: it lay in run ${run.id}, which is in the trash (qanat trash restore ${run.id} brings it back)` : ''
}
