import { parametersOf } from '../../domain/parameters/arguments.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { isSettled, totalOf } from '../../domain/runs/aggregate.js'
import type { Launch } from '../../domain/runs/launch.js'
import type { GroupDetails, Run } from '../../domain/runs/run.js'
import { commandOf, groupFolder, programOf } from '../../domain/runs/run-plan.js'
import { isThere } from '../../runfolder/contents.js'
import { findRun } from '../registry/find-experiment.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'
import { readComment } from './comment-run.js'
import { refreshRun } from './refresh-runs.js'
import { describeSubmissions } from './submissions.js'

/** What is known of a run beside itself. */
export interface RunDetails {
  readonly groups: readonly GroupDetails[]
  /** What its user knows the last submission by; empty where nobody else has it. */
  readonly submission: string
  readonly retries: Launch['retries']
  /** Whether its folder is where it was. */
  readonly hasFolder: boolean
  /** Markdown, as its user wrote it; null where there is none. */
  readonly comment: string | null
}

/** A run of an experiment as it is now. @throws UserError where there is no such run */
export async function currentRun(workspace: Workspace, experiment: string, id: string): Promise<Run> {
  const run = findRun(workspace, experiment, id)
  return isSettled(run) ? run : refreshRun(workspace, run)
}

/** All that the page of a run shows. */
export function runDetails(workspace: Workspace, run: Run): RunDetails {
  return {
    groups: groupDetails(workspace, run),
    submission: describeSubmissions(workspace, run),
    retries: workspace.store.runs.submission(run.id).retries,
    hasFolder: isThere(absolutePath(workspace, run.storagePath)),
    comment: readComment(workspace, run),
  }
}

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
