import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parametersOf } from '../domain/arguments.js'
import { commandOf } from '../domain/run-plan.js'
import type { Prepared } from '../runners/types.js'
import { datasetPaths, type LaunchRequest, planOf, resolveRequest } from './launch-request.js'
import { nextId } from './run-record.js'
import { absolutePath, resultFolder, type Workspace } from './workspace.js'

/** What a launch would do, group by group. */
export interface DryRun {
  readonly groupCount: number
  readonly frozen: boolean
  readonly groups: Iterable<{
    readonly parameters: Readonly<Record<string, string | readonly string[]>>
    readonly command: readonly string[]
  }>
  readonly prepared: Prepared
}

/** Works a request out as a launch would, and makes nothing. The run id and the frozen copy are those to come. */
export async function dryRun(workspace: Workspace, request: LaunchRequest): Promise<DryRun> {
  const resolved = await resolveRequest(workspace, request)
  const runId = nextId(workspace)
  const { project, cwd } = workspace
  const storagePath =
    request.storagePath === null
      ? join(resultFolder(workspace), resolved.experiment.name, `run_${runId}`)
      : resolve(cwd, request.storagePath)
  const paths = datasetPaths(workspace, resolved.experiment)
  for (const path of paths) if (!existsSync(path)) workspace.warn(`the dataset path ${path} is not on this machine`)
  const plan = planOf(workspace, resolved, {
    runId,
    storagePath,
    workingDirectory: resolved.frozen ? join(absolutePath(workspace, '.qanat/cache'), 'COMMIT') : project.root,
    datasetPaths: paths,
    commit: 'COMMIT',
  })
  return {
    groupCount: resolved.groupCount,
    frozen: resolved.frozen,
    groups: { [Symbol.iterator]: () => groupsOf(plan) },
    prepared: resolved.runner.prepare(plan, resolved.options),
  }
}

function* groupsOf(plan: Prepared['plan']) {
  for (let index = 0; index < plan.groupCount; index++) {
    yield { parameters: parametersOf(plan.argumentsOf(index)), command: commandOf(plan, index) }
  }
}
