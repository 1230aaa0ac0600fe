import { changesSince } from '../../code/compare.js'
import { type ScriptState, scriptState } from '../../code/script-state.js'
import type { MadeFile } from '../../domain/action-record.js'
import type { Action } from '../../domain/experiment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { nearest } from '../../domain/text/names.js'
import { userCommand } from '../../domain/user-command.js'
import { OperationError, UserError } from '../../errors.js'
import { exists } from '../../system/files.js'
import { runHere } from '../../system/programs.js'
import { findExperiment } from '../registry/find-experiment.js'
import { readGroup } from '../runs/find-run.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { ActionRecording } from './action-recording.js'

/** A request to run an action. */
export interface ActionRequest {
  readonly action: string
  /** Index of the group as it was typed; null for the run as a whole. */
  readonly group: string | null
  readonly words: readonly string[]
  /** The document that needs it; null if it was typed. */
  readonly document: string | null
}

/** What an action has done. */
interface ActionOutcome {
  /** Its script, when it was called. */
  readonly script: ScriptState
  /** The files that it has made or changed. */
  readonly made: readonly MadeFile[]
}

/**
 * Runs an action on the user's terminal, and records it; warns if its script has changed since the commit of the run.
 * @throws UserError naming what is missing, before anything runs; OperationError if the action fails
 */
export async function runAction(
  workspace: Workspace,
  run: Run,
  request: ActionRequest,
  output: 'stdout' | 'stderr' = 'stdout',
): Promise<ActionOutcome> {
  const { root } = workspace.project
  const action = findAction(workspace, run.experiment, request.action)
  if (action.executable === '' || !exists(absolutePath(workspace, action.executable))) {
    throw new UserError(
      `the script of the action ${action.name} does not exist: ${action.executable || '(none)'}`,
      `qanat experiment update ${run.experiment}        changes it`,
    )
  }
  const group = request.group === null ? null : readGroup(run, request.group)
  const storagePath = folderOf(workspace, run, group)
  const command = userCommand(action, [...request.words, '--storage_path', storagePath])
  const environment = {
    ...process.env,
    QANAT_RUN_ID: String(run.id),
    QANAT_STORAGE_PATH: storagePath,
    QANAT_COMMIT: run.commit,
    QANAT_PROJECT: root,
    ...(group !== null && { QANAT_GROUP_INDEX: String(group) }),
  }
  const diff = await changesSince(root, run.commit, action.executable)
  if (diff !== '') workspace.warn(`the script has changed since the commit of the run:\n${diff.trimEnd()}`)
  const script = await scriptState(absolutePath(workspace, action.executable))
  const call = { action, run, group, storagePath, script, words: request.words, document: request.document }
  const recording = await ActionRecording.begin(workspace, call)
  let code: number
  try {
    code = await runHere(command, { environment, cwd: root, output })
  } finally {
    // It may have written metrics, also if it was interrupted.
    workspace.store.transaction(() => workspace.store.readings.forget(run.id))
  }
  const made = await recording.end(code)
  if (code !== 0) throw new OperationError(`the action ${action.name} ended with code ${code}`)
  return { script, made }
}

/** @throws UserError that lists the actions */
export function findAction(workspace: Workspace, experiment: string, name: string): Action {
  const { actions } = findExperiment(workspace, experiment)
  const action = actions.find(candidate => candidate.name === name)
  if (action) return action
  const names = actions.map(candidate => candidate.name)
  const meant = nearest(name, names)
  throw new UserError(
    `${experiment} has no action '${name}'${meant ? `. Did you mean ${meant}?` : ''}`,
    names.length > 0 ? `its actions are ${names.join(', ')}` : `qanat experiment update ${experiment}        adds one`,
  )
}

function folderOf(workspace: Workspace, run: Run, group: number | null): string {
  const storagePath = absolutePath(workspace, run.storagePath)
  const folder = group === null ? storagePath : groupFolder(storagePath, totalOf(run.counts), group)
  if (exists(folder)) return folder
  throw new UserError(`the folder of the run is gone: ${folder}`, `qanat rerun ${run.id}`)
}
