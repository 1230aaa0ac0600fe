import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Run } from '../domain/run.js'
import { UserError } from '../errors.js'
import type { JobHandle } from '../runners/types.js'
import { commitEverything, describeChanges } from './commit-tree.js'
import { warnOfEditableInstalls } from './editable-installs.js'
import { checkExecutable } from './executable.js'
import { type FrozenCode, freezeCode } from './frozen-code.js'
import { datasetPaths, type LaunchRequest, planOf, type ResolvedRequest, resolveRequest } from './launch-request.js'
import { writeRunFiles, writeRunYaml } from './run-files.js'
import { createRun, dropRun, explainFolder, type RunFacts, runReference } from './run-record.js'
import { storeHandles } from './submissions.js'
import { inspectTree, type TreeChange, type TreeState } from './tree-state.js'
import { takeWorkingPatch, type WorkingPatch } from './working-patch.js'
import { storedPath, type Workspace } from './workspace.js'

/** Asked when the tree is dirty: the message to commit with, or null to leave it. */
export type AskForCommit = (changes: string) => Promise<string | null>

/**
 * Launches a run: everything is checked before anything is made, and what was made is taken back when a step fails.
 * Only a commit that was asked for stays.
 * @returns the run, submitted
 */
export async function launchRun(workspace: Workspace, request: LaunchRequest, ask: AskForCommit | null): Promise<Run> {
  const resolved = await resolveRequest(workspace, request)
  await resolved.runner.probe(resolved.environment)
  const code = await settleCode(workspace, resolved, ask)
  for (const path of datasetPaths(workspace, resolved.experiment)) warnOfMissing(workspace, path)
  const [frozen] = await Promise.all([
    resolved.frozen ? freeze(workspace, code) : null,
    checkExecutable(workspace, resolved.experiment, code),
  ])
  return start(workspace, resolved, code, frozen)
}

/** The code that a run is of. */
export interface RunCode {
  readonly state: TreeState
  /** What is recorded. */
  readonly commit: string
  /** Changes that are not in the commit, null for a clean tree. */
  readonly patch: WorkingPatch | null
}

async function settleCode(workspace: Workspace, resolved: ResolvedRequest, ask: AskForCommit | null): Promise<RunCode> {
  const { request, uncountedFiles } = resolved
  const state = await inspectTree(workspace.project.root, uncountedFiles)
  if (request.commitSha !== null) return { state, commit: await resolveCommit(state, request.commitSha), patch: null }
  if (state.changes.length === 0) return { state, commit: state.head, patch: null }
  if (request.allowDirty) return { state, commit: state.head, patch: await takeWorkingPatch(state) }
  const message = request.commitMessage ?? (await ask?.(describeChanges(state.changes))) ?? null
  if (message === null) throw dirtyTree(state.changes, request.experiment)
  await commitEverything(state, message)
  workspace.warn(`committed as '${message}':\n${describeChanges(state.changes)}`)
  const committed = await inspectTree(workspace.project.root, uncountedFiles)
  if (committed.changes.length > 0) throw dirtyTree(committed.changes, request.experiment)
  return { state: committed, commit: committed.head, patch: null }
}

async function resolveCommit({ git }: TreeState, name: string): Promise<string> {
  try {
    return (await git.run('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)).trim()
  } catch {
    throw new UserError(`no commit '${name}' in the repository`, 'git log --oneline        shows those there are')
  }
}

function dirtyTree(changes: readonly TreeChange[], experiment: string): UserError {
  return new UserError(
    `the working tree has changes that are not committed:\n${describeChanges(changes)}`,
    `A run records the commit it ran. Commit first, or let the run do it:
  qanat run --commit "what changed" ${experiment}
  qanat run --allow_dirty ${experiment}      (keeps the changes as a patch with the run)`,
  )
}

async function freeze(workspace: Workspace, { state, commit, patch }: RunCode): Promise<FrozenCode> {
  const { project, config } = workspace
  const name = commit.slice(0, 12) + (patch ? `-${patch.tree.slice(0, 8)}` : '')
  const frozen = await freezeCode(project, state, patch?.commit ?? commit, name, config.resultDir)
  warnOfEditableInstalls(workspace, state.gitRoot, frozen.links)
  return frozen
}

function warnOfMissing(workspace: Workspace, path: string): void {
  if (!existsSync(path)) workspace.warn(`the dataset path ${path} is not on this machine`)
}

async function start(
  workspace: Workspace,
  resolved: ResolvedRequest,
  code: RunCode,
  frozen: FrozenCode | null,
): Promise<Run> {
  const { runner } = resolved
  const { store } = workspace
  const facts: RunFacts = {
    resolved,
    code,
    frozen,
    workingDirectory: frozen?.workingDirectory ?? workspace.project.root,
    datasetPaths: datasetPaths(workspace, resolved.experiment).map(path => pathInCopy(workspace, path, frozen)),
  }
  const { id, storagePath } = createRun(workspace, facts)
  const handles: JobHandle[] = []
  try {
    const plan = planOf(workspace, resolved, { ...facts, commit: code.commit, runId: id, storagePath })
    const prepared = runner.prepare(plan, resolved.options)
    const kept = code.state.git.run('update-ref', runReference(resolved.token), code.patch?.commit ?? code.commit)
    writeRunFiles(workspace, prepared, facts)
    await kept
    for await (const handle of runner.submit(prepared)) {
      handles.push(handle)
      storeHandles(workspace, id, handles)
    }
  } catch (error) {
    await runner.cancel(handles, true)
    await dropRun(workspace, id, storagePath, resolved.token)
    throw explainFolder(error, storagePath)
  }
  writeRunYaml(workspace, id)
  return store.runs.find(id)!
}

/** A dataset that git tracks is read from the frozen copy; ignored ones are only linked there. */
function pathInCopy(workspace: Workspace, path: string, frozen: FrozenCode | null): string {
  const inside = storedPath(workspace, path)
  if (!frozen || isAbsolute(inside)) return path
  const copy = join(frozen.workingDirectory, inside)
  return existsSync(copy) && realpathSync(copy).startsWith(`${frozen.workingDirectory}/`) ? copy : path
}
