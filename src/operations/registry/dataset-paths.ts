import { basename, join } from 'node:path'
import type { Experiment } from '../../domain/experiment.js'
import { whatIsAt } from '../../project/paths.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { findDataset } from './find-experiment.js'

/** Absolute paths of an experiment's datasets in the project. */
export function datasetPaths(workspace: Workspace, experiment: Experiment): string[] {
  const paths = experiment.datasets.map(name => absolutePath(workspace, findDataset(workspace, name).path))
  warnOfMissing(workspace, paths)
  return paths
}

/** The same for the context in which runs are launched: those that it names, and the project's own, which git may have. */
export function datasetPathsIn(workspace: Workspace, { datasets }: Experiment): string[] {
  const there = workspace.findContext(workspace.site.name)?.datasets ?? {}
  return datasets.map(name => there[name] ?? absolutePath(workspace, findDataset(workspace, name).path))
}

/**
 * Where the copy of a dataset that was sent to a context lies there: its path, if the project were there.
 * @param path of the dataset, absolute
 */
export function pushedPath({ project }: Pick<Workspace, 'project'>, name: string, path: string): string {
  return join(pushedFolder({ project }, name), basename(path))
}

/** The folder around it. */
export function pushedFolder({ project }: Pick<Workspace, 'project'>, name: string): string {
  return join(project.root, '.qanat/datasets', name)
}

/** Warns of missing paths; they may exist on the nodes. */
export function warnOfMissing(workspace: Workspace, paths: readonly string[]): void {
  const missing = paths.filter(path => whatIsAt(path) === null)
  for (const path of missing)
    workspace.warn(`the dataset path ${path} is not on this machine${trashedWith(workspace, path)}`)
}

/** Whether the data of a dataset are here; they may be on the nodes. @param path as it is stored */
export function isOnThisMachine(workspace: Workspace, path: string): boolean {
  return whatIsAt(absolutePath(workspace, path)) !== null
}

/** Where a path is that lay in a deleted run, as the rest of a sentence; empty for any other. @param path as it is stored */
export function trashedWith(workspace: Workspace, path: string): string {
  const place = `${absolutePath(workspace, path)}/`
  const deleted = workspace.store.runs.deleted()
  const run = deleted.find(({ storagePath }) => place.startsWith(`${absolutePath(workspace, storagePath)}/`))
  return run ? `: it lay in run ${run.id}, which is in the trash (qanat trash restore ${run.id} brings it back)` : ''
}
