import { join, relative } from 'node:path'
import type { RunCode } from '../../../code/run-code.js'
import type { Run } from '../../../domain/runs/run.js'
import { DatasetsNow, pushedFolder, warnOfMissing } from '../../registry/datasets-now.js'
import { absolutePath, type Workspace } from '../../workspace.js'

/**
 * Absolute paths of the datasets that a run read, even if they were renamed or deleted since. They are the project's
 * paths, since the frozen copy that the run read from may be gone.
 */
export function recordedDatasets(workspace: Workspace, run: Run, { state }: RunCode): string[] {
  const { root, cacheFolder } = workspace.project
  const { datasetPaths, experiment } = workspace.store.runs.launch(run.id)
  const paths = datasetPaths.map((stored, at) => {
    const path = absolutePath(workspace, stored)
    const name = experiment.datasets[at]!
    // A copy that was sent to a context is found there again.
    if (path.startsWith(`${pushedFolder(workspace, name)}/`))
      return absolutePath(workspace, workspace.store.datasets.find(name)?.path ?? stored)
    if (!path.startsWith(`${cacheFolder}/`)) return path
    const inCopy = relative(cacheFolder, path).split('/').slice(1).join('/')
    return join(root, relative(state.prefix, inCopy))
  })
  warnOfMissing(workspace, paths)
  return paths
}

/** Warns of datasets that have another path now than the run recorded. @param paths as recorded */
export function warnOfMoved(workspace: Workspace, run: Run, paths: readonly string[]): void {
  const definition = workspace.store.runs.definition(run.id)
  const registered = new DatasetsNow(workspace).of(definition)
  for (const [at, name] of definition.experiment.datasets.entries()) {
    const now = registered.get(name)
    if (!now) workspace.warn(`reading ${paths[at]}, as run ${run.id} did; the dataset ${name} no longer exists`)
    else if (now.path !== null && absolutePath(workspace, now.path) !== paths[at])
      workspace.warn(
        `reading ${paths[at]}, as run ${run.id} did; the path of the dataset ${now.name} is now ${now.path}`,
      )
  }
}
