import { isDeepStrictEqual } from 'node:util'
import type { RunCode } from '../../code/run-code.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { GroupReport, Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError, orElse, UserError } from '../../errors.js'
import { launcherOf } from '../../project/clone.js'
import type { Config, Template } from '../../project/config.js'
import {
  type ResolvedTemplate,
  resolveTemplate,
  templateAsWritten,
  templateToRecord,
} from '../../project/templates/templates.js'
import { attemptMovedBack, attemptMoves } from '../../runfolder/attempt-files.js'
import { hasPlan } from '../../runfolder/evidence/submissions.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { makeRunFolder, removalOf } from '../../runfolder/folders.js'
import { secretsFile } from '../../runfolder/layout.js'
import type { JobHandle, Limits, Prepared } from '../../runners/types.js'
import { refuseUnwritable } from '../../store/database.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { faultPoint } from '../../system/fault-point.js'
import { CodeNow } from '../code/code-now.js'
import { DataNow } from '../data/data-now.js'
import { noteOtherData } from '../data/other-data.js'
import { putPrepared, putRunFiles, refuseForeignFolder, renewRunYaml } from '../folder/run-files.js'
import { refuseForeign } from '../refresh/foreign-attempts.js'
import { returnLeft } from '../refresh/left-behind.js'
import { endProcessesLeft } from '../refresh/processes-left.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { storeHandle, submissionsOf } from '../refresh/submissions.js'
import { readSecrets } from '../secrets/read-secrets.js'
import { absolutePath, configAt, readFolder, runnerOf, siteOf, type Workspace } from '../workspace.js'
import { checkExecutable, keepWarnings, unrecordedExecutable } from './code/check-code.js'
import { freeze } from './frozen/freeze.js'
import { withImage } from './image.js'
import { confirmMany, recordedCode } from './launch-run.js'
import { pathsOf, planAt, type RunPaths } from './paths.js'
import { probe } from './probe.js'
import type { Questions } from './request.js'
import { type Again, codeOf, resolveAgain, warnOfOtherOutputs } from './rerun.js'
import type { ResolvedLaunch } from './resolve.js'
import { groupsToRetry, keepLimit } from './retry-groups.js'
import { endSubmitted, explainKept } from './take-back.js'

/** How many milliseconds are spent on finding out whether data have changed. */
const dataTime = 2_000

/** A request of `run_retry`. */
export interface RetryRequest extends Again {
  /** States and causes of the groups to retry; null for all that did not finish. */
  readonly only: readonly string[] | null
  /** Whether the files of the groups stay where they are. */
  readonly resume: boolean
}

/**
 * Launches the groups of a run that did not finish again, inside the same run and at its recorded commit. Their files
 * are moved to `.run/attempts/`. A launch that is refused leaves everything as it was.
 * @param ask null if there is nobody to ask
 * @returns the submitted run, the number of the attempt, and how many groups it has; or why there is nothing to retry
 */
export async function retryRun(
  workspace: Workspace,
  run: Run,
  request: RetryRequest,
  ask: Pick<Questions, 'many'> | null,
  interruption: AbortSignal,
): Promise<{ run: Run; attempt: number; groups: number } | { run: Run; nothing: string }> {
  refuseUnwritable(workspace.project.databaseFile)
  const current = await refreshRun(workspace, run, 0)
  const submissions = await submissionsOf(workspace, current)
  const { handles, partial } = submissions
  if (!isOver(current.counts)) refuseForeign(run, submissions)
  await refuseElsewhere(workspace, current, handles)
  const found = groupsToRetry(workspace, current, request.only)
  if ('why' in found) return { run: current, nothing: found.why }
  const { reports } = found
  if (partial.size > 0) throw new OperationError(`run ${run.id} is still being submitted`, 'try again in a moment')
  refuseForeignFolder(workspace, current)
  await confirmMany(workspace, reports.length, ask)
  const code = await codeOf(workspace, current)
  const asked = await resolveRetry(workspace, current, code, request)
  const secrets = await readSecrets(workspace, asked.template.name, asked.plan.environment)
  const changes = await new DataNow(workspace, dataTime, false).certainChanges(current)
  for (const { text } of changes) workspace.warn(text)
  await warnOfNewerCode(workspace, current)
  warnOfOtherOutputs(workspace, current)
  const limits = await probe(workspace, asked)
  const jobsAhead = keepLimit(workspace, current, asked, handles, reports.length)
  const resolved = await withImage(workspace, asked, async () => ({ ...code, ...recordedCode(code) }), interruption)
  const indices = reports.map(({ index }) => index)
  await endProcessesLeft(workspace, current, indices)
  const { paths, attempt } = await withProjectLock(workspace.project, 'code', async () => {
    const paths = await choosePaths(workspace, current, resolved, code, interruption)
    interruption.throwIfAborted()
    if (request.resume) returnLeft(workspace, current, absolutePath(workspace, paths.frozen))
    return { paths, attempt: claim(workspace, current, resolved, reports, paths.frozen, limits) }
  })
  faultPoint('retry-claimed')
  const plan = { ...planAt(workspace, resolved, paths), attempt, indices, jobsAhead }
  const prepared = resolved.runner.prepare(plan, resolved.options, limits)
  await submit(
    workspace,
    current,
    prepared,
    resolved,
    { reports, resume: request.resume, isFirst: handles.length === 0, secrets },
    interruption,
  )
  faultPoint('retry-submitted')
  noteOtherData(workspace, current, attempt, changes)
  const unrecorded = await unrecordedExecutable(workspace, resolved.experiment, code)
  keepWarnings(workspace, plan.place.here, [...unrecorded, ...(paths.copied?.remarks ?? [])])
  renewRunYaml(workspace, run.id)
  return { run: workspace.store.runs.get(run.id), attempt, groups: reports.length }
}

/** What to launch again, and what happens to the files of the previous attempt. */
interface Retried {
  readonly reports: readonly GroupReport[]
  readonly resume: boolean
  /** Whether no group of the run was ever submitted. */
  readonly isFirst: boolean
  readonly secrets: ReadonlyMap<string, string>
}

async function submit(
  workspace: Workspace,
  run: Run,
  prepared: Prepared,
  resolved: ResolvedLaunch,
  { reports, resume, isFirst, secrets }: Retried,
  interruption: AbortSignal,
): Promise<void> {
  const { runner } = resolved
  const { plan } = prepared
  const submitted: JobHandle[] = []
  const { place } = plan
  const moves = attemptMoves(plan.groupCount, reports, resume)
  let made: string | null = null
  try {
    if (presenceOf(readFolder(workspace, run)) !== 'there') made = makeRunFolder(place.here)
    if (isFirst || !hasPlan(place.here)) {
      const first = runner.prepare({ ...plan, attempt: 1, indices: null }, resolved.options, prepared.limits)
      await putRunFiles(workspace, runner.site, first, resolved.experiment, new Map())
    }
    await runner.site.mutate(place, moves)
    await putPrepared(workspace, runner.site, prepared, secrets)
    faultPoint('retry-files')
    interruption.throwIfAborted()
    for await (const handle of runner.submit(prepared, message => workspace.warn(message))) {
      submitted.push(handle)
      storeHandle(workspace, run.id, handle)
    }
    workspace.store.transaction(() => workspace.store.attempts.setComplete(run.id, plan.attempt))
    interruption.throwIfAborted()
  } catch (error) {
    // Groups that may be in the queue stay claimed; a later refresh finds their jobs, as after a launch that died.
    if (!(await endSubmitted(workspace, run.id, plan.attempt, submitted))) throw explainKept(error, run)
    await runner.site.mutate(place, [{ remove: secretsFile(plan.attempt) }, ...attemptMovedBack(moves)])
    if (made !== null) {
      const { folder, changes } = removalOf(place.here, made, plan.groupCount)
      await runner.site.mutate({ here: folder, there: runner.site.there(folder) }, changes)
    }
    takeBack(workspace, run, plan.attempt, reports)
    throw error
  }
}

/** @throws OperationError if groups live on another machine, where their state cannot be known from here */
async function refuseElsewhere(workspace: Workspace, run: Run, handles: readonly JobHandle[]): Promise<void> {
  const host = isOver(run.counts) ? null : await runnerOf(workspace, run).hostElsewhere?.(handles)
  if (host) throw new OperationError(`groups of run ${run.id} live on ${host}`, 'retry it there')
}

async function resolveRetry(workspace: Workspace, run: Run, code: RunCode, asked: Again): Promise<ResolvedLaunch> {
  const token = workspace.store.runs.token(run.id)
  const resolved = await resolveAgain(workspace, run, code, asked, { command: 'run_retry', token })
  if (asked.submit_template === undefined) warnOfChange(workspace, run, resolved.template)
  return resolved
}

/** A retry uses the template that was recorded last. A user who has changed it since may expect the new one. */
function warnOfChange(workspace: Workspace, run: Run, { name, template }: ResolvedTemplate): void {
  const now = templateNow(configAt(workspace, siteOf(workspace, run)), run.runner, name)
  if (now === null || isDeepStrictEqual(now, templateAsWritten(template))) return
  workspace.warn(
    `this retry uses the template ${name} as recorded when run ${run.id} was launched; it has changed since
qanat run_retry ${run.id} --submit_template ${name}        uses it as it is now`,
  )
}

/** A retry runs the recorded code. A user who has mended the script since may expect the new one. */
async function warnOfNewerCode(workspace: Workspace, run: Run): Promise<void> {
  const changed = run.codeChanged === true ? [] : await new CodeNow(workspace).changes(run)
  if (!changed?.length) return
  const uncommitted = run.dirty ? ' with its uncommitted changes' : ''
  workspace.warn(
    `this retry runs the code of commit ${run.commit.slice(0, 7)}${uncommitted}: ${changed.join('; ')}
qanat run ${displayCommand([run.experiment])} …        runs the code as it is now`,
  )
}

/** Null for a template that no longer exists. */
function templateNow(config: Config, runner: string, name: string): Template | null {
  return orElse(() => resolveTemplate(config, runner, name).template, null)
}

/** The groups run again in a frozen copy of the recorded commit. */
async function choosePaths(
  workspace: Workspace,
  run: Run,
  resolved: ResolvedLaunch,
  code: RunCode,
  interruption: AbortSignal,
): Promise<RunPaths & { readonly frozen: string }> {
  await checkExecutable(workspace, resolved.experiment, code)
  const frozen = await freeze(workspace, resolved, code, run, interruption)
  return {
    ...(await pathsOf(workspace, resolved, code, frozen, interruption)),
    frozen: frozen.folder,
    runId: run.id,
    storagePath: absolutePath(workspace, run.storagePath),
  }
}

/**
 * Claims the groups for a new attempt, so that no other command launches them at the same time.
 * @returns the number of the attempt
 */
function claim(
  workspace: Workspace,
  run: Run,
  { template }: ResolvedLaunch,
  reports: readonly GroupReport[],
  frozen: string,
  { identity }: Limits,
): number {
  const { store } = workspace
  const groups = reports.map(({ index }) => index)
  return store.transaction(() => {
    // Another command may have deleted it: its folder is in the trash then, and must not be made again.
    store.runs.get(run.id)
    const stored = new Map(store.runs.groups(run.id).map(report => [report.index, report]))
    const other = reports.find(report => JSON.stringify(stored.get(report.index)) !== JSON.stringify(report))
    if (other)
      throw new UserError(
        `group ${other.index} of run ${run.id} has changed in the meantime`,
        `qanat run_show ${run.id}`,
      )
    const launched = { launched: Date.now(), launcher: launcherOf(workspace.project) }
    const attempt = store.attempts.add(run.id, {
      groups,
      submitTemplate: template.name,
      resolved: templateToRecord(template.template),
      ...launched,
    })
    // All groups now run the recorded code, wherever the first attempt ran.
    if (groups.length === totalOf(run.counts)) store.runs.setCodeChanged(run.id, false)
    store.runs.setFrozen(run.id, frozen)
    if (run.host !== null) store.runs.setHost(run.id, identity)
    const pending = groups.map(index => ({ index, status: { state: 'pending' as const }, attempt }))
    store.runs.update(run.id, pending, (100 * run.counts.finished) / totalOf(run.counts), Date.now())
    return attempt
  })
}

/** Releases a claim of which nothing was submitted. */
function takeBack({ store }: Workspace, run: Run, attempt: number, reports: readonly GroupReport[]): void {
  store.transaction(() => {
    store.attempts.takeBack(run.id, attempt)
    store.runs.setCodeChanged(run.id, run.codeChanged)
    store.runs.setFrozen(run.id, run.frozen)
    store.runs.setHost(run.id, run.host)
    store.runs.update(run.id, reports, run.progress, run.asOf)
  })
}
