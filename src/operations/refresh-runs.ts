import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { totalOf } from '../domain/aggregate.js'
import { readProgress } from '../domain/progress.js'
import { type GroupReport, hasEnded, type Run } from '../domain/run.js'
import { groupFolder } from '../domain/run-plan.js'
import type { JobHandle } from '../runners/types.js'
import { settleCodeChanged } from './code-changed.js'
import { writeRunYaml } from './run-files.js'
import { submissionsOf } from './submissions.js'
import { absolutePath, type Workspace } from './workspace.js'

/** Asks the runners of live runs what became of them, one question to each runner, and stores the answers. */
export async function refreshRuns(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  const handles = new Map<string, JobHandle[]>()
  const runOfToken = new Map<string, Run>()
  for (const run of runs) {
    const submissions = await submissionsOf(workspace, run)
    if (submissions.kind === 'nothing') await store(workspace, run, neverStarted(run))
    if (submissions.kind !== 'submitted') continue
    handles.set(run.runner, [...(handles.get(run.runner) ?? []), ...submissions.handles])
    for (const { token } of submissions.handles) runOfToken.set(token, run)
  }
  for (const [name, ofRunner] of handles) {
    const answers = await workspace.findRunner(name).poll(ofRunner)
    for (const [token, reports] of answers) await store(workspace, runOfToken.get(token)!, reports)
  }
}

/** A run as it is now. */
export async function refreshRun(workspace: Workspace, run: Run): Promise<Run> {
  await refreshRuns(workspace, [run])
  return workspace.store.runs.find(run.id)!
}

function neverStarted(run: Run): GroupReport[] {
  const end = { started: null, finished: null, host: null, jobId: null }
  return Array.from({ length: totalOf(run.counts) }, (_, index) => ({
    index,
    status: { state: 'lost', cause: 'never_started', ...end },
  }))
}

async function store(workspace: Workspace, run: Run, reports: readonly GroupReport[]): Promise<void> {
  const { runs } = workspace.store
  workspace.store.transaction(() => {
    const known = new Map(runs.groups(run.id).map(report => [report.index, report.status]))
    const changed = reports.filter(({ index, status }) => {
      const last = known.get(index)
      // An end is not taken back by a witness that knows less; only the lost can be found again.
      if (last && hasEnded(last.state) && last.state !== 'lost' && !hasEnded(status.state)) return false
      return JSON.stringify(last) !== JSON.stringify(status)
    })
    runs.update(run.id, changed, progressOf(workspace, run, reports), Date.now())
  })
  const now = runs.find(run.id)!
  if (now.status === run.status) return
  await settleCodeChanged(workspace, now)
  try {
    writeRunYaml(workspace, run.id)
  } catch (error) {
    // The database has it: a full disk is no reason to hold back what is known.
    workspace.warn(`${run.storagePath}/.run/run.yaml could not be renewed: ${(error as Error).message}`)
  }
}

/** Mean over all groups: what has finished is done, what runs says itself how far it is. */
function progressOf(workspace: Workspace, run: Run, reports: readonly GroupReport[]): number {
  const total = totalOf(run.counts)
  const storagePath = absolutePath(workspace, run.storagePath)
  let sum = 0
  for (const { index, status } of reports) {
    if (status.state === 'finished') sum += 100
    else if (status.state === 'running') {
      const file = join(groupFolder(storagePath, total, index), 'progress.txt')
      sum += existsSync(file) ? (readProgress(readFileSync(file, 'utf8')) ?? 0) : 0
    }
  }
  return Math.round((10 * sum) / total) / 10
}
