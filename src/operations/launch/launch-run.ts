import { join } from 'node:path'
import { hashOfCode, type RecordedCode } from '../../code/compare.js'
import { withoutHooks } from '../../code/git.js'
import type { RunCode } from '../../code/run-code.js'
import { runReference } from '../../code/run-reference.js'
import { writePatch } from '../../code/working-patch.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { hasResults } from '../../project/result-folder.js'
import { explainFolder } from '../../runfolder/folder-errors.js'
import { patchFile } from '../../runfolder/layout.js'
import type { JobHandle, Limits } from '../../runners/types.js'
import { refuseUnwritable } from '../../store/database.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { faultPoint } from '../../system/fault-point.js'
import { comparedCodeOf } from '../code/code-definition.js'
import { excludeOwnFiles } from '../code/unignored-results.js'
import { warnOfUnusedPatterns } from '../code/unused-patterns.js'
import { putRunFiles, renewRunYaml } from '../folder/run-files.js'
import { storeHandle } from '../refresh/submissions.js'
import { provideStage } from '../results/stages.js'
import { readSecrets } from '../secrets/read-secrets.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { checkExecutable, keepWarnings, unrecordedCode } from './code/check-code.js'
import { chooseCode } from './code/choose-code.js'
import { freeze, lookAtUsers } from './frozen/freeze.js'
import { checkBuilder, withImage } from './image.js'
import { pathsOf, planAt } from './paths.js'
import { probe } from './probe.js'
import { recordData } from './record/record-data.js'
import { createRun, dropRun, type NewRun, type RunFacts } from './record/run-record.js'
import type { Questions, TypedRequest } from './request.js'
import { type ResolvedRun, resolveRequest } from './resolve.js'
import { confirmDoubts } from './slips.js'
import { endSubmitted, explainKept } from './take-back.js'

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
  asked: ResolvedRun,
  choose: () => Promise<RunCode>,
  interruption: AbortSignal,
): Promise<Run> {
  refuseUnwritable(workspace.project.databaseFile)
  const secrets = await readSecrets(workspace, asked.template.name, asked.plan.environment)
  const limits = await probe(workspace, asked)
  checkBuilder(asked)
  const code = await choose()
  const [codeUsed, unrecorded] = await Promise.all([
    hashOfUsedCode(workspace, asked, code),
    unrecordedCode(workspace, asked, code),
    warnOfUnusedPatterns(
      workspace,
      asked.experiment,
      code.state,
      recordedCode(code),
      'it adds nothing to the code of this run',
    ),
    checkExecutable(workspace, asked.experiment, code),
  ])
  const resolved = await withImage(workspace, asked, async () => ({ ...code, ...recordedCode(code) }), interruption)
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

/** What is recorded of the code of a launch. */
export function recordedCode({ commit, patch }: RunCode): RecordedCode {
  return { commit, tree: patch?.tree ?? null }
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

/** Now that the run is stored, nobody takes its links for those of no run. */
function provideStages(workspace: Workspace, { stages }: ResolvedRun): Promise<void> {
  return withProjectLock(workspace.project, 'stages', async () => {
    for (const stage of stages) provideStage(workspace, stage)
  })
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
    if (resolved.stages.length > 0) await provideStages(workspace, resolved)
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
