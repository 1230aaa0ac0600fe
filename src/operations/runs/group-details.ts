import { parametersOf } from '../../domain/parameters/arguments.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { GroupDetails, Run } from '../../domain/runs/run.js'
import { commandOf, groupFolder, programOf } from '../../domain/runs/run-plan.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** All groups of a run, by index. */
export function groupDetails(workspace: Workspace, run: Run): GroupDetails[] {
  const { grid, experiment, datasetPaths } = workspace.store.runs.launch(run.id)
  const known = new Map(workspace.store.runs.groups(run.id).map(report => [report.index, report]))
  const groupCount = totalOf(run.counts)
  const storagePath = absolutePath(workspace, run.storagePath)
  const launched = {
    storagePath,
    groupCount,
    ...programOf(experiment),
    datasetPaths: datasetPaths.map(path => absolutePath(workspace, path)),
    argumentsOf: (index: number) => argumentsOf(grid, index),
  }
  return Array.from({ length: groupCount }, (_, index) => ({
    index,
    status: known.get(index)?.status ?? { state: 'pending' },
    attempt: known.get(index)?.attempt ?? 1,
    storagePath: storedPath(workspace, groupFolder(storagePath, groupCount, index)),
    parameters: parametersOf(launched.argumentsOf(index)),
    command: commandOf(launched, index),
  }))
}
