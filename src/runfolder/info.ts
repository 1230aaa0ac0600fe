import { parametersOf } from '../domain/parameters/arguments.js'
import { commandOf, groupFolder, type RunPlan } from '../domain/runs/run-plan.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { yamlParameters, yamlString } from '../domain/text/yaml-text.js'
import type { Entry } from '../system/folders/entries.js'

/** The contents of `info.yaml` that are not in the plan. */
export interface RunInfo {
  readonly experimentId: number
  readonly executableCommand: string
  /** Stored path: relative to the project if it lies inside. */
  readonly storagePath: string
  /** Absolute paths by name. */
  readonly datasets: Readonly<Record<string, string>>
}

/** `info.yaml` in the folder of a run. */
export function infoEntry(plan: RunPlan, info: RunInfo): Entry {
  return { path: 'info.yaml', text: infoYaml(plan, info) }
}

/** In pieces, since it names every command of the run. */
function* infoYaml(plan: RunPlan, info: RunInfo): Generator<string> {
  yield `run_id: ${plan.runId}\n`
  yield `experiment_id: ${info.experimentId}\n`
  yield `executable: ${yamlString(plan.executable)}\n`
  yield `executable_command: ${yamlString(info.executableCommand)}\n`
  yield `storage_path: ${yamlString(info.storagePath)}\n`
  yield `working_directory: ${yamlString(plan.workingDirectory)}\n`
  yield `commit_sha: ${plan.commit}\n`
  yield `datasets:${yamlParameters(info.datasets, '  ')}`
  yield 'repertories:\n'
  for (let index = 0; index < plan.groupCount; index++) {
    yield `- ${yamlString(groupFolder(info.storagePath, plan.groupCount, index))}\n`
  }
  yield 'commands:\n'
  const groups: string[] = []
  for (let index = 0; index < plan.groupCount; index++) {
    const given = plan.argumentsOf(index)
    groups.push(`-${yamlParameters(parametersOf(given), '  ').replace(/^\n {2}/, ' ')}`)
    yield `- ${yamlString(displayCommand(commandOf(plan, index, given)))}\n`
  }
  yield 'groups_of_parameters:\n'
  yield* groups
}
