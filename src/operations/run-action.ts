import { existsSync } from 'node:fs'
import { totalOf } from '../domain/aggregate.js'
import type { Action } from '../domain/experiment.js'
import { nearest } from '../domain/names.js'
import type { Run } from '../domain/run.js'
import { groupFolder, programOf } from '../domain/run-plan.js'
import { expandableWord, quoteWord } from '../domain/shell-text.js'
import { OperationError, UserError } from '../errors.js'
import { GitError, openGit } from '../system/git.js'
import { runHere } from '../system/programs.js'
import { findExperiment } from './find-experiment.js'
import { absolutePath, type Workspace } from './workspace.js'

/** What an action is to work on, and with what. */
export interface ActionRequest {
  readonly action: string
  /** Index of the group as it was typed; null for the run as a whole. */
  readonly group: string | null
  readonly words: readonly string[]
}

/** An action that is ready to be run. */
export interface ReadyAction {
  /** How the script differs from that of the run's commit; empty where it does not, or nobody can tell. */
  readonly diff: string
  run(): Promise<void>
}

/** Checks everything that can be checked before an action runs. @throws UserError naming what is not there */
export async function prepareAction(workspace: Workspace, run: Run, request: ActionRequest): Promise<ReadyAction> {
  const { root } = workspace.project
  const action = findAction(workspace, run, request.action)
  if (action.executable === '' || !existsSync(absolutePath(workspace, action.executable))) {
    throw new UserError(
      `the script of the action ${action.name} is not there: ${action.executable || '(none)'}`,
      `qanat experiment update ${run.experiment}        changes it`,
    )
  }
  const storagePath = folderOf(workspace, run, request.group)
  const { executableCommand, executable } = programOf(action)
  const command = [...executableCommand.map(expandableWord), quoteWord(executable)].join(' ')
  const words = ['sh', '-c', `${command} "$@"`, 'sh', ...request.words, '--storage_path', storagePath]
  const environment = {
    ...process.env,
    QANAT_RUN_ID: String(run.id),
    QANAT_STORAGE_PATH: storagePath,
    QANAT_COMMIT: run.commit,
    QANAT_PROJECT: root,
    ...(request.group !== null && { QANAT_GROUP_INDEX: request.group }),
  }
  return {
    diff: await changesSince(workspace, run, action),
    async run() {
      const code = await runHere(words, { environment, cwd: root })
      if (code !== 0) throw new OperationError(`the action ${action.name} ended with code ${code}`)
    },
  }
}

function findAction(workspace: Workspace, run: Run, name: string): Action {
  const { actions } = findExperiment(workspace, run.experiment)
  const action = actions.find(candidate => candidate.name === name)
  if (action) return action
  const names = actions.map(candidate => candidate.name)
  const meant = nearest(name, names)
  throw new UserError(
    `${run.experiment} has no action '${name}'${meant ? `. Did you mean ${meant}?` : ''}`,
    names.length > 0
      ? `its actions are ${names.join(', ')}`
      : `qanat experiment update ${run.experiment}        adds one`,
  )
}

function folderOf(workspace: Workspace, run: Run, group: string | null): string {
  const storagePath = absolutePath(workspace, run.storagePath)
  const total = totalOf(run.counts)
  if (group !== null && !(/^\d+$/.test(group) && Number(group) < total)) {
    const there = total === 1 ? 'its only group is 0' : `its groups are 0 to ${total - 1}`
    throw new UserError(`run ${run.id} has no group '${group}'`, there)
  }
  const folder = group === null ? storagePath : groupFolder(storagePath, total, Number(group))
  if (existsSync(folder)) return folder
  throw new UserError(`the folder of the run is gone: ${folder}`, `qanat rerun ${run.experiment} ${run.id}`)
}

async function changesSince(workspace: Workspace, run: Run, { executable }: Action): Promise<string> {
  const git = await openGit(workspace.project.root)
  try {
    return await git.run('diff', '--no-color', run.commit, '--', executable)
  } catch (error) {
    // The commit may be of another clone.
    if (error instanceof GitError) return ''
    throw error
  }
}
