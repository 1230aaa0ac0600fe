import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { type GroupReport, hasEnded, type Run, unfinishedEnds } from '../../domain/runs/run.js'
import type { RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, UserError } from '../../errors.js'
import { resolveTemplate } from '../../project/templates.js'
import { moveAttempt } from '../../runfolder/attempt-files.js'
import type { JobHandle } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { identify } from '../../system/process-identity.js'
import { refreshRun } from '../runs/refresh-runs.js'
import { refuseForeignFolder, writePrepared, writeRunFiles, writeRunYaml } from '../runs/run-files.js'
import { storeHandles, submissionsOf } from '../runs/submissions.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { checkExecutable } from './executable.js'
import { jobOptions } from './job-options.js'
import { planOf, type ResolvedRequest } from './launch-request.js'
import { freeze } from './launch-run.js'
import { codeOf, resolveAgain } from './rerun.js'

/** What `run_retry` was asked for. */
export interface RetryRequest {
  /** States and causes of the groups that are wanted; null for all that did not finish. */
  readonly only: readonly string[] | null
  /** Another template than that of the launch. */
  readonly submitTemplate: string | null
  /** Whether what the groups have made stays where it is. */
  readonly resume: boolean
}

/**
 * Launches groups of a run that did not finish again, inside the same run and at its recorded commit. What they have
 * made is moved to `.run/attempts/`. A launch that is refused leaves everything as it was.
 * @returns the run, submitted, and how many groups of it
 */
export async function retryRun(
  workspace: Workspace,
  run: Run,
  request: RetryRequest,
  interruption: AbortSignal,
): Promise<{ run: Run; groups: number }> {
  const current = await refreshRun(workspace, run, 0)
  const isElsewhere = current.host !== null && current.host !== hostname()
  if (isElsewhere && !isOver(current.counts)) {
    throw new OperationError(`groups of run ${run.id} live on ${current.host}`, 'retry it there')
  }
  const reports = chosen(workspace, current, request.only)
  const { handles, state } = await submissionsOf(workspace, current)
  if (state === 'partial') throw new OperationError(`run ${run.id} is still being submitted`, 'try again in a moment')
  refuseForeignFolder(workspace, current)
  const resolved = resolveRetry(workspace, current, request.submitTemplate)
  const limits = await resolved.runner.probe(resolved.environment)
  const plan = await planAgain(workspace, current, resolved, reports)
  const prepared = resolved.runner.prepare(plan, resolved.options, limits)
  interruption.throwIfAborted()
  const takeBack = claim(workspace, current, plan, resolved, reports)
  faultPoint('retry-claimed')
  const submitted: JobHandle[] = []
  const moved = moveAttempt(plan.storagePath, plan.groupCount, reports, request.resume)
  try {
    // The launch may have been killed before all of its files were written, or after they were taken back.
    if (handles.length === 0 || !existsSync(join(plan.storagePath, '.run/plan'))) {
      const first = resolved.runner.prepare({ ...plan, attempt: 1, indices: null }, resolved.options, limits)
      writeRunFiles(workspace, first, resolved.experiment)
    }
    moved.move()
    writePrepared(prepared)
    faultPoint('retry-files')
    interruption.throwIfAborted()
    for await (const handle of resolved.runner.submit(prepared, message => workspace.warn(message))) {
      submitted.push(handle)
      storeHandles(workspace, run.id, [...handles, ...submitted])
    }
    interruption.throwIfAborted()
  } catch (error) {
    await resolved.runner.cancel(submitted, true)
    storeHandles(workspace, run.id, handles)
    moved.undo()
    takeBack()
    throw error
  }
  faultPoint('retry-submitted')
  writeRunYaml(workspace, run.id)
  return { run: workspace.store.runs.find(run.id)!, groups: reports.length }
}

/** The groups that are to run again, as they ended. @throws UserError where there are none */
function chosen(workspace: Workspace, run: Run, only: readonly string[] | null): GroupReport[] {
  const unknown = only?.find(word => !unfinishedEnds.includes(word))
  if (unknown !== undefined)
    throw new UserError(`--only ${unknown}: there is no such end`, `they are ${unfinishedEnds.join(', ')}`)
  const ended = workspace.store.runs
    .groups(run.id)
    .filter(({ status }) => hasEnded(status.state) && status.state !== 'finished')
  const wanted = ended.filter(
    ({ status }) => only === null || only.includes(status.state) || ('cause' in status && only.includes(status.cause)),
  )
  if (wanted.length > 0) return wanted
  const counts = Object.entries(run.counts).filter(([, count]) => count > 0)
  throw new UserError(
    `run ${run.id} has no group to retry${only ? ` that ended by ${only.join(', ')}` : ''}: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`,
    `qanat run_show ${run.experiment} ${run.id}`,
  )
}

function resolveRetry(workspace: Workspace, run: Run, template: string | null): ResolvedRequest {
  const again = resolveAgain(workspace, run)
  const token = workspace.store.runs.submission(run.id).token
  if (template === null) return { ...again, token }
  const resolved = resolveTemplate(workspace.config, run.runner, template)
  const { environment, options } = jobOptions(again.runner, resolved)
  return { ...again, token, templateName: resolved.name, template: resolved.template, environment, options }
}

async function planAgain(
  workspace: Workspace,
  run: Run,
  resolved: ResolvedRequest,
  reports: readonly GroupReport[],
): Promise<RunPlan> {
  const { datasetPaths, retries } = workspace.store.runs.launch(run.id)
  const code = await codeOf(workspace, run)
  await checkExecutable(workspace, resolved.experiment, code)
  const { workingDirectory } = await freeze(workspace, code)
  const place = {
    runId: run.id,
    storagePath: absolutePath(workspace, run.storagePath),
    workingDirectory,
    datasetPaths: datasetPaths.map(path => absolutePath(workspace, path)),
    commit: run.commit,
  }
  const attempt = (retries.at(-1)?.attempt ?? 1) + 1
  return { ...planOf(workspace, resolved, place), attempt, indices: reports.map(({ index }) => index) }
}

/**
 * Stores that these groups are about to be launched again, which nobody else may do at the same time.
 * @returns what takes that back
 */
function claim(
  workspace: Workspace,
  run: Run,
  { attempt }: RunPlan,
  { templateName, template }: ResolvedRequest,
  reports: readonly GroupReport[],
): () => void {
  const { store } = workspace
  const { launcher } = store.runs.submission(run.id)
  const groups = reports.map(({ index }) => index)
  store.transaction(() => {
    const stored = new Map(store.runs.groups(run.id).map(report => [report.index, report]))
    const other = reports.find(report => JSON.stringify(stored.get(report.index)) !== JSON.stringify(report))
    if (other) throw new UserError(`group ${other.index} of run ${run.id} has changed meanwhile`, 'look, and try again')
    const retry = { attempt, groups, submitTemplate: templateName, resolved: template, launched: Date.now() }
    store.runs.addRetry(run.id, retry, identify(process.pid))
    if (run.host !== null) store.runs.setHost(run.id, hostname())
    const pending = groups.map(index => ({ index, status: { state: 'pending' as const }, attempt }))
    store.runs.update(run.id, pending, (100 * run.counts.finished) / totalOf(run.counts), Date.now())
  })
  return () =>
    store.transaction(() => {
      store.runs.dropRetry(run.id, launcher)
      store.runs.setHost(run.id, run.host)
      store.runs.update(run.id, reports, run.progress, run.asOf)
    })
}
