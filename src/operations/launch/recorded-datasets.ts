import { join, relative } from 'node:path'
import type { RunCode } from '../../code/run-code.js'
import type { Run } from '../../domain/runs/run.js'
import { warnOfMissing } from '../registry/dataset-paths.js'
import { absolutePath, type Workspace } from '../workspace.js'

/**
 * Absolute paths of the datasets that a run has read, whatever has become of their names since, as the project has them:
 * the frozen copy that the run read them from may be gone.
 */
export function recordedDatasets(workspace: Workspace, run: Run, { state }: RunCode): string[] {
  const { root, cacheFolder } = workspace.project
  const paths = workspace.store.runs.launch(run.id).datasetPaths.map(stored => {
    const path = absolutePath(workspace, stored)
    if (!path.startsWith(`${cacheFolder}/`)) return path
    const inCopy = relative(cacheFolder, path).split('/').slice(1).join('/')
    return join(root, relative(state.prefix, inCopy))
  })
  warnOfMissing(workspace, paths)
  return paths
}

/** Says which datasets of a run have another path now than the one that is read again. @param paths as recorded */
export function warnOfMoved(workspace: Workspace, run: Run, paths: readonly string[]): void {
  const { datasets } = workspace.store.runs.launch(run.id).experiment
  for (const [at, name] of datasets.entries()) {
    const now = workspace.store.datasets.find(name)
    if (now === null) workspace.warn(`${paths[at]} is read, as in run ${run.id}; no dataset is called ${name} any more`)
    else if (absolutePath(workspace, now.path) !== paths[at])
      workspace.warn(`${paths[at]} is read, as in run ${run.id}; the dataset ${name} is ${now.path} now`)
  }
}
