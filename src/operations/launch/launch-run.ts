import { join } from 'node:path'
import { commitEverything, describeChanges } from '../../code/commit-tree.js'
import { hashOfCode, type RecordedCode } from '../../code/compare.js'
import { withoutHooks } from '../../code/git.js'
import { type RunCode, resolveCommit } from '../../code/run-code.js'
import { runReference } from '../../code/run-reference.js'
import { allChanges, inspectTree, type TreeState } from '../../code/tree-state.js'
import { takeWorkingPatch, writePatch } from '../../code/working-patch.js'
import type { Run } from '../../domain/runs/run.js'
import { displayCommand, quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { hasResults } from '../../project/result-folder.js'
import { explainFolder } from '../../runfolder/folder-errors.js'
import { patchFile } from '../../runfolder/layout.js'
import type { JobHandle, Limits } from '../../runners/types.js'
import { refuseUnwritable } from '../../store/database.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { faultPoint } from '../../system/fault-point.js'
import { comparedCodeOf } from '../code/code-definition.js'
import { excludeOwnFiles, ignoringLine, isResult, refuseRunFiles } from '../code/unignored-results.js'
import { warnOfUnusedPatterns } from '../code/unused-patterns.js'
import { putRunFiles, renewRunYaml } from '../folder/run-files.js'
import { storeHandle } from '../refresh/submissions.js'
import { readSecrets } from '../secrets/read-secrets.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { checkExecutable, checkInTree, keepWarnings, unrecordedCode } from './check-code.js'
import { freeze, lookAtUsers } from './frozen/freeze.js'
import { pathsOf, planAt } from './paths.js'
import { probe } from './probe.js'
import { recordData } from './record/record-data.js'
import { createRun, dropRun, type NewRun, type RunFacts } from './record/run-record.js'
import type { TypedRequest } from './request.js'
import { type ResolvedRun, resolveRequest } from './resolve.js'
import { confirmDoubts } from './slips.js'
import { endSubmitted, explainKept } from './take-back.js'

/** What a launch asks a person. */
export interface Questions {
  /** Called if the tree is dirty. @returns the message to commit with, or null for no commit */
  commit(changes: string): Promise<string | null>
  /** Called if there are more groups than the setting `confirm_above` allows. @returns whether to launch them */
  many(groups: number): Promise<boolean>
  /** Called if something was probably meant otherwise; null if nobody wants to be asked. @returns whether to launch it all the same */
  readonly doubt: ((text: string) => Promise<boolean>) | null
}

/**
 * Launches a run: everything is checked before anything is made, and a launch that fails is rolled back. Only a commit
 * that was asked for stays.
 * @param ask null if there is nobody to ask
 * @param interruption stops it at its next step
 * @returns the submitted run
 */
export async function launchRun(
  workspace: Workspace,
  request: TypedRequest,
  ask: Questions | null,
  interruption: AbortSignal,
): Promise<Run> {
  const resolved = await resolveRequest(workspace, request)
  await confirmDoubts(workspace, request, resolved.grid, ask?.doubt ?? null)
  await confirmMany(workspace, resolved.plan.groupCount, ask)
  return launchResolved(workspace, resolved, () => chooseCode(workspace, request, resolved, ask), interruption)
}

/** Asks before a launch of more groups than the setting `confirm_above` allows. @throws UserError if it is declined */
export async function confirmMany(
  { config }: Workspace,
  groups: number,
  ask: Pick<Questions, 'many'> | null,
): Promise<void> {
  if (groups > config.confirmAbove && (await ask?.many(groups)) === false) {
    throw new UserError(`nothing was launched: ${groups.toLocaleString('en-US')} groups were declined`)
  }
}

/**
 * The same for a resolved request.
 * @param choose decides which code to run, once the runner has answered
 */
export async function launchResolved(
  workspace: Workspace,
  resolved: ResolvedRun,
  choose: () => Promise<RunCode>,
  interruption: AbortSignal,
): Promise<Run> {
  try {
    return await launch(workspace, resolved, choose, interruption)
  } catch (error) {
    // Ctrl-C reaches git, too, whose error would come first.
    interruption.throwIfAborted()
    throw error
  }
}

async function launch(
  workspace: Workspace,
  resolved: ResolvedRun,
  choose: () => Promise<RunCode>,
  interruption: AbortSignal,
): Promise<Run> {
  refuseUnwritable(workspace.project.databaseFile)
  const secrets = await readSecrets(workspace, resolved.template.name, resolved.plan.environment)
  const limits = await probe(workspace, resolved)
  const code = await choose()
  const [codeUsed, unrecorded] = await Promise.all([
    hashOfUsedCode(workspace, resolved, code),
    unrecordedCode(workspace, resolved, code),
    warnOfUnusedPatterns(
      workspace,
      resolved.experiment,
      code.state,
      recordedCode(code),
      'it adds nothing to the code of this run',
    ),
    checkExecutable(workspace, resolved.experiment, code),
  ])
  const host = resolved.runner.kind.traits.has('hasScheduler') ? null : limits.identity
  if (resolved.frozen) await lookAtUsers(workspace, code)
  // Hold the lock from making the copy until the run is stored: otherwise other commands would take the copy for idle.
  const placed = resolved.frozen
    ? await withProjectLock(workspace.project, 'code', async () =>
        place(
          workspace,
          resolved,
          {
            code,
            codeUsed,
            frozen: await freeze(workspace, resolved, code, null, interruption),
            host,
          },
          interruption,
        ),
      )
    : await place(workspace, resolved, { code, codeUsed, frozen: null, host }, interruption)
  return start(workspace, { ...placed, limits, secrets, unrecorded }, interruption)
}

/** Gives a run its id, its folder and its frozen copy. */
async function place(
  workspace: Workspace,
  resolved: ResolvedRun,
  { code, codeUsed, frozen, host }: Pick<RunFacts, 'code' | 'codeUsed' | 'frozen' | 'host'>,
  interruption: AbortSignal,
): Promise<Placed> {
  interruption.throwIfAborted()
  const paths = await pathsOf(workspace, resolved, code, frozen, interruption)
  const facts = { resolved, code, codeUsed, frozen, host, paths }
  const isFirst = !hasResults(resultFolder(workspace))
  const created = createRun(workspace, facts)
  if (isFirst) await excludeOwnFiles(workspace)
  return { facts, created }
}

/** A rerun has the hash of its run, also if another run was given a file since: its code is the same. */
function hashOfUsedCode(workspace: Workspace, resolved: ResolvedRun, code: RunCode) {
  const { experiment, rerunOf, uncountedFiles } = resolved
  const known = rerunOf === null ? null : workspace.store.runs.get(rerunOf).codeUsed
  return known ?? hashOfCode(code.state, recordedCode(code), comparedCodeOf(workspace, experiment, uncountedFiles))
}

function recordedCode({ commit, patch }: RunCode): RecordedCode {
  return { commit, tree: patch?.tree ?? null }
}

async function chooseCode(
  workspace: Workspace,
  request: TypedRequest,
  { uncountedFiles, experiment }: ResolvedRun,
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

/** A run that has its id and its folder, but no submission yet. */
interface Placed {
  readonly facts: RunFacts
  readonly created: NewRun
}

/** The same with all that its submission needs. */
interface Submittable extends Placed {
  readonly limits: Limits
  readonly secrets: ReadonlyMap<string, string>
  /** See {@link unrecordedCode}. */
  readonly unrecorded: readonly string[]
}

async function start(
  workspace: Workspace,
  { facts, created, limits, secrets, unrecorded }: Submittable,
  interruption: AbortSignal,
): Promise<Run> {
  const { resolved, code, paths } = facts
  const { runner } = resolved
  const { store } = workspace
  const { id, storagePath } = created
  faultPoint('run-stored')
  const handles: JobHandle[] = []
  let kept: Promise<unknown> = Promise.resolve()
  try {
    const plan = planAt(workspace, resolved, { ...paths, runId: id, storagePath })
    const prepared = runner.prepare(plan, resolved.options, limits)
    kept = code.state.git.run(
      ...withoutHooks,
      'update-ref',
      runReference(plan.token),
      code.patch?.commit ?? code.commit,
    )
    await recordData(workspace, id, facts)
    await putRunFiles(workspace, runner.site, prepared, resolved.experiment, secrets)
    keepWarnings(workspace, storagePath, [...unrecorded, ...(paths.copied?.remarks ?? [])])
    if (code.patch) await writePatch({ ...code.state, head: code.commit }, code.patch, join(storagePath, patchFile))
    await kept
    faultPoint('run-files')
    interruption.throwIfAborted()
    for await (const handle of runner.submit(prepared, message => workspace.warn(message))) {
      handles.push(handle)
      storeHandle(workspace, id, handle)
    }
    store.transaction(() => store.attempts.setComplete(id, 1))
    interruption.throwIfAborted()
  } catch (error) {
    // The rollback must not start while this is still being made.
    await kept.catch(() => {})
    if (!(await endSubmitted(workspace, id, 1, handles))) throw explainKept(error, store.runs.get(id))
    await dropRun(workspace, created, resolved)
    throw explainFolder(error, storagePath)
  }
  faultPoint('launch-submitted')
  renewRunYaml(workspace, id)
  faultPoint('launch-end')
  return store.runs.get(id)
}
