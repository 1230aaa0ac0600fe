import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { readProgress } from '../../domain/runs/progress.js'
import type { GroupReport, Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { graceOf } from '../../project/config.js'
import type { PollAnswer, PolledRun } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { settleCodeChanged } from './code-changed.js'
import { writeRunYaml } from './run-files.js'
import { intentOf, submissionsOf } from './submissions.js'

/**
 * Asks the runners of live runs what became of them, one question to each runner, and stores the answers. A scheduler
 * is asked at most once in a while, whichever command asks, and then for all live runs of the project.
 * @param age milliseconds for which an earlier answer of a scheduler is good enough; with Infinity it is not asked
 */
export async function refreshRuns(
  workspace: Workspace,
  runs: readonly Run[],
  age = 1000 * workspace.config.pollInterval,
): Promise<void> {
  const { store } = workspace
  for (const name of new Set(runs.map(run => run.runner))) {
    const runner = workspace.findRunner(name)
    const now = Date.now()
    const ask = runner.isScheduler && Number.isFinite(age) && store.transaction(() => store.polls.claim(name, now, age))
    const asked = ask ? store.runs.live() : runs
    const live = await Promise.all(asked.filter(run => run.runner === name).map(run => pollable(workspace, run)))
    const submitted = live.filter(({ polled }) => !isNothing(polled)).map(({ polled }) => polled)
    const answers = await runner.poll(submitted, { ask, now, grace: graceOf(workspace.config) })
    const silent = submitted.filter(({ token }) => ask && answers.get(token)?.answered === false)
    if (silent.length > 0) {
      const names = live.filter(({ polled }) => silent.includes(polled)).map(({ run }) => run.id)
      workspace.warn(`${name} did not answer about run ${names.join(', ')}: what is shown is what was known before`)
    }
    for (const { run, polled } of live) {
      const answer = isNothing(polled) ? neverStarted(polled) : answers.get(polled.token)
      if (answer) await keep(workspace, run, answer, polled.known)
    }
  }
}

/** The program that launched it has died before it submitted anything. */
function isNothing({ handles, complete }: PolledRun): boolean {
  return complete && handles.length === 0
}

function neverStarted({ groupCount }: PolledRun): PollAnswer {
  const status = {
    state: 'lost',
    cause: 'never_started',
    started: null,
    finished: null,
    host: null,
    jobId: null,
  } as const
  return { answered: true, reports: Array.from({ length: groupCount }, (_, index) => ({ index, status })) }
}

/** A run as it is now. */
export async function refreshRun(workspace: Workspace, run: Run, age?: number): Promise<Run> {
  await refreshRuns(workspace, [run], age)
  return workspace.store.runs.find(run.id)!
}

async function pollable(workspace: Workspace, run: Run): Promise<{ run: Run; polled: PolledRun }> {
  const { handles, state } = await submissionsOf(workspace, run)
  const known = new Map(workspace.store.runs.groups(run.id).map(report => [report.index, report]))
  return { run, polled: { ...intentOf(workspace, run), handles, complete: state === 'complete', known } }
}

async function keep(
  workspace: Workspace,
  run: Run,
  { answered, reports }: PollAnswer,
  known: ReadonlyMap<number, GroupReport>,
): Promise<void> {
  const { runs } = workspace.store
  const asOf = answered ? Date.now() : run.asOf
  faultPoint('refresh-polled')
  const news = reports.filter(report => isOther(known.get(report.index), report))
  workspace.store.transaction(() => {
    if (news.length === 0) return runs.touch(run.id, progressOf(workspace, run, known.values()), asOf)
    const stored = new Map(runs.groups(run.id).map(report => [report.index, report]))
    // What another command has learnt meanwhile is newer than what was asked for here.
    const changed = news.filter(({ index }) => !isOther(stored.get(index), known.get(index)))
    for (const report of changed) stored.set(report.index, report)
    runs.update(run.id, changed, progressOf(workspace, run, stored.values()), asOf)
  })
  faultPoint('refresh-stored')
  const now = runs.find(run.id)!
  // A cause that becomes known after the end is news, too.
  if (now.status === run.status && (news.length === 0 || !isOver(now.counts))) return
  await settleCodeChanged(workspace, now)
  faultPoint('refresh-end')
  try {
    writeRunYaml(workspace, run.id)
  } catch (error) {
    // The database has it: a full disk is no reason to hold back what is known.
    workspace.warn(`${run.storagePath}/.run/run.yaml could not be renewed: ${(error as Error).message}`)
  }
}

function isOther(one: GroupReport | undefined, other: GroupReport | undefined): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

/** Mean over all groups: what has finished is done, what runs says itself how far it is. */
function progressOf(workspace: Workspace, run: Run, reports: Iterable<GroupReport>): number {
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
