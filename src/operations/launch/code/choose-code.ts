import { join } from 'node:path'
import { commitEverything, describeChanges } from '../../../code/commit-tree.js'
import { type RunCode, resolveCommit } from '../../../code/run-code.js'
import { allChanges, inspectTree, type TreeState } from '../../../code/tree-state.js'
import { takeWorkingPatch } from '../../../code/working-patch.js'
import { displayCommand, quoteWord } from '../../../domain/text/shell-text.js'
import { UserError } from '../../../errors.js'
import { ignoringLine, isResult, refuseRunFiles } from '../../code/unignored-results.js'
import type { Workspace } from '../../workspace.js'
import type { Questions, TypedRequest } from '../request.js'
import type { ResolvedRun } from '../resolve.js'
import { checkInTree } from './check-code.js'

/**
 * The code that a launch runs: what is checked out, what was asked for, or a commit of all changes if a person wants one.
 * @throws UserError for changes that nobody wants to commit or to keep
 */
export async function chooseCode(
  workspace: Workspace,
  request: TypedRequest,
  { uncountedFiles, experiment }: Pick<ResolvedRun, 'uncountedFiles' | 'experiment'>,
  ask: Questions | null,
): Promise<RunCode> {
  const { commit_sha: commitSha, commit: commitMessage = null, allow_dirty: allowDirty } = request.options
  const state = await inspectTree(workspace.project.root, uncountedFiles)
  if (commitSha !== undefined) return { state, commit: await resolveCommit(state, commitSha), patch: null }
  // A commit that was asked for includes changes that do not count as changes of the code.
  if (state.changes.length === 0 && commitMessage === null) return { state, commit: state.head, patch: null }
  if (allowDirty) {
    await refuseRunFiles(workspace, state)
    return { state, commit: state.head, patch: await takeWorkingPatch(state) }
  }
  if (hiddenChanges(state).length > 0) throw dirtyTree(workspace, state, request)
  const message = commitMessage ?? (await ask?.commit(describeChanges(await allChanges(state)))) ?? null
  if (message === null) throw dirtyTree(workspace, state, request)
  await refuseRunFiles(workspace, state)
  checkInTree(workspace, experiment)
  const changes = await commitEverything(state, message)
  if (changes.length > 0) workspace.note(`Committed as '${message}':\n${describeChanges(changes)}`)
  const committed = await inspectTree(workspace.project.root, uncountedFiles)
  if (committed.changes.length > 0) throw dirtyTree(workspace, committed, request)
  return { state: committed, commit: committed.head, patch: null }
}

/** Changed files that a commit would leave out, since git was told not to look at them. */
function hiddenChanges({ changes, hidden }: TreeState): string[] {
  return changes.map(({ path }) => path).filter(path => hidden.includes(path))
}

function dirtyTree(workspace: Workspace, state: TreeState, { typed, options }: TypedRequest): UserError {
  const { changes, gitRoot } = state
  const at = typed.findIndex(word => /^--commit(=|$)/.test(word))
  // The lines of the hint have options that contradict this one, or repeat it.
  const words = options.commit === undefined ? typed : typed.toSpliced(at, typed[at] === '--commit' ? 2 : 1)
  const line = displayCommand(words)
  const hidden = hiddenChanges(state).map(path => quoteWord(join(gitRoot, path)))
  const showing = ['--no-skip-worktree', '--no-assume-unchanged'].map(
    option => `git update-index ${option} ${hidden.join(' ')}`,
  )
  const commit =
    hidden.length === 0
      ? `Commit first, or let the run do it:
  qanat run --commit "what changed" ${line}`
      : `Git was told not to look at changed files; let it look again, then commit or undo the changes:
  ${showing.join('\n  ')}`
  return new UserError(
    `the working tree has uncommitted changes:\n${describeChanges(changes)}`,
    `${changes.some(isResult(workspace, state)) ? `Git has to ignore the results of runs:\n  ${ignoringLine(workspace)}\n` : ''}A run records the commit it ran. ${commit}
  qanat run --allow_dirty ${line}      (keeps the changes as a patch with the run)`,
  )
}
