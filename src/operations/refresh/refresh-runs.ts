import { isOver, isSettled, liveOf, totalOf } from '../../domain/runs/aggregate.js'
import type { Clock, Evidence } from '../../domain/runs/judge-run.js'
import { type GroupReport, hasEnded, type Run } from '../../domain/runs/run.js'
import type { Runner, RunWithNews } from '../../runners/types.js'
import { silence } from '../../sites/site.js'
import { faultPoint } from '../../system/fault-point.js'
import { expectEnd, isEndNew, noteDataAtEnd, noteDataLeft } from '../data/data-at-end.js'
import { storeEnvironments } from '../environments/run-environments.js'
import { renewRunYaml } from '../folder/run-files.js'
import { continueKeeping, keepOutputs } from '../outputs/keep-outputs.js'
import { forgetSecrets } from '../secrets/forget-secrets.js'
import { runnerOf, type Workspace } from '../workspace.js'
import { storeCodeChanged } from './code-changed.js'
import { storeDealing } from './dealing.js'
import { eachByItself } from './each-by-itself.js'
import { fetchEnded } from './fetch-ended.js'
import { forgetSettled } from './forget-settled.js'
import { isJudged, type Judgement, judge } from './judge.js'
import { knownRun, type RunSnapshot } from './known-run.js'
import { submitLaterJobs } from './later-jobs.js'
import { settleCopy } from './left-behind.js'
import { clockOf, isPolledRarely, politeAgeOf } from './polling.js'
import { warnOfProcessesLeft } from './processes-left.js'
import { progressOf } from './run-progress.js'
import { visit, type WhenLate } from './visit.js'

/** How long after its end a run is still polled, since its jobs may be requeued by hand; in milliseconds. */
const requeueTime = 3_600_000

/** Runs that may change, of all experiments. */
export function openRuns(workspace: Workspace): Run[] {
  const { store, here, findRunner } = workspace
  const requeues = (runner: string) => findRunner(here, runner).kind.traits.has('requeuesEnded')
  return store.runs.live(Date.now() - requeueTime, requeues).filter(run => mayChange(workspace, run))
}

/** Whether a run may still change, as far as is known. */
export function mayChange(workspace: Workspace, run: Run): boolean {
  if (!isSettled(run) || run.counts.lost > 0) return true
  return (run.finished ?? 0) > Date.now() - requeueTime && runnerOf(workspace, run).kind.traits.has('requeuesEnded')
}

/**
 * Finds out the current state of runs and stores it: one visit to each runner of a site, whatever the number of runs, then each
 * run separately, so that a run that cannot be read hides no other. All commands together poll a scheduler at most once
 * in an interval, for all open runs of the project.
 * @param age milliseconds for which an earlier answer of a scheduler is good enough. Infinity: it is not polled. 0: it is
 * also polled for runs that ended long ago
 */
export async function refreshRuns(workspace: Workspace, runs: readonly Run[], age?: number): Promise<void> {
  const runners = [...new Set(runs.map(run => runnerOf(workspace, run)))]
  const refresh = (runner: Runner) => refreshRunner(workspace, runner, runs, age)
  // Those that answer at once come first. Of the rest, one that stays silent delays no other.
  await Promise.all(runners.filter(runner => !isPolledRarely(runner)).map(refresh))
  await Promise.all(runners.filter(isPolledRarely).map(refresh))
  await noteDataLeft(workspace)
}

/** Those of the runs that a runner has; if it is polled rarely, and this is the turn of this command, all open ones of the project. */
async function refreshRunner(
  workspace: Workspace,
  runner: Runner,
  runs: readonly Run[],
  given?: number,
): Promise<void> {
  const age = given ?? politeAgeOf(workspace, runner)
  const wanted = wantedOf(workspace, runner, runs, age)
  if (!isPolledRarely(runner))
    return refreshRunsOf(workspace, runner, wanted, { asks: true, whenLate: 'is waited for' })
  const asks = wanted.length > 0 && Number.isFinite(age) && takeTurn(workspace, runner, age)
  const open = asks ? openRuns(workspace).filter(run => runnerOf(workspace, run) === runner) : []
  const all = new Map([...wanted, ...open].map(run => [run.id, run]))
  await refreshRunsOf(workspace, runner, [...all.values()], {
    asks,
    whenLate: given === undefined ? 'is asked in the background' : 'is waited for',
  })
}

/** Those runs of a runner that may have changed. */
function wantedOf(workspace: Workspace, runner: Runner, runs: readonly Run[], age: number): Run[] {
  const asksAgain = age === 0 && runner.kind.traits.has('requeuesEnded')
  return runs.filter(run => runnerOf(workspace, run) === runner && (asksAgain || mayChange(workspace, run)))
}

/** A run as it is now. @throws UserError if it was deleted in the meantime */
export async function refreshRun(workspace: Workspace, run: Run, age?: number): Promise<Run> {
  await refreshRuns(workspace, [run], age)
  return workspace.store.runs.get(run.id)
}

function takeTurn({ store }: Workspace, { site, kind }: Runner, age: number): boolean {
  return store.transaction(() => store.polls.claim(site.name, kind.name, Date.now(), age))
}

/** How a refresh asks. */
interface Asking {
  /** Whether to ask for the queue or the processes, too, or only to read the files of the runs. */
  readonly asks: boolean
  readonly whenLate: WhenLate
}

async function refreshRunsOf(
  workspace: Workspace,
  runner: Runner,
  runs: readonly Run[],
  { asks, whenLate }: Asking,
): Promise<void> {
  const { store } = workspace
  const { site } = runner
  const version = store.version()
  const snapshots = await eachByItself(workspace, runs, run => knownRun(workspace, run))
  const places = snapshots.map(({ asked }) => asked.place)
  const questions = asks ? runner.queries(snapshots.map(({ asked }) => asked)) : []
  const answers = await visit(workspace, site, questions, asks ? places : [], whenLate)
  const first = answers ?? silence(questions)
  // Read after the queue was polled: a group that has left the queue by then has recorded its end.
  let read = await readNews(workspace, runner, snapshots)
  let evidence = runner.read(withNews(read), first)
  let clock = clockOf(workspace, runner)
  const unjudged = read.filter(each => !isJudged(each, evidence.get(each.asked.token)!, clock))
  const further = asks && unjudged.length > 0 ? runner.furtherQueries(withNews(unjudged), first) : []
  const queries = further.filter(({ key }) => !first.has(key))
  if (queries.length > 0) {
    const asking = answers && visit(workspace, site, queries, places, whenLate)
    // What is stored is read while the programs work.
    for (const { known } of unjudged) known.open.values()
    const answered = (await asking) ?? silence(queries)
    read = await readNews(workspace, runner, snapshots)
    evidence = runner.read(withNews(read), new Map([...first, ...answered]))
    clock = clockOf(workspace, runner)
  }
  faultPoint('refresh-polled')
  // Of a site that is silent, its visit has warned.
  if (asks && answers !== null) warnOfSilence(workspace, runner, read, evidence)
  const refresh: Refresh = { clock, ended: [], changed: [], version }
  const kept = await eachByItself(workspace, read, each =>
    keep(workspace, each, evidence.get(each.asked.token)!, refresh),
  )
  if (kept.includes('partly')) continueKeeping(workspace)
  await fetchEnded(workspace, refresh.changed, whenLate)
  await eachByItself(workspace, read, each => submitLaterJobs(workspace, each, evidence.get(each.asked.token)!))
  if (refresh.ended.length > 0) faultPoint('refresh-data')
  await warnOfProcessesLeft(workspace, refresh.ended)
  // This takes longest, so that it comes last.
  await noteDataAtEnd(workspace, refresh.ended)
}

/** What belongs to all runs of a refresh. */
interface Refresh {
  readonly clock: Clock
  /** Runs that have just ended. */
  readonly ended: Run[]
  /** Runs of which groups have just ended. */
  readonly changed: Run[]
  /** Version of the database; it is the present one as long as nobody but this refresh changes the database. */
  version: string
}

/** A run with the news in its files. */
interface ReadRun extends RunSnapshot {
  readonly news: RunWithNews['news']
}

function withNews(read: readonly ReadRun[]): RunWithNews[] {
  return read.map(({ asked, news }) => ({ run: asked, news }))
}

function readNews(workspace: Workspace, runner: Runner, snapshots: readonly RunSnapshot[]): Promise<ReadRun[]> {
  return eachByItself(workspace, snapshots, async each => ({ ...each, news: runner.news(each.asked) }))
}

function warnOfSilence(
  workspace: Workspace,
  { kind }: Runner,
  read: readonly ReadRun[],
  evidence: ReadonlyMap<string, Evidence>,
): void {
  if (!kind.traits.has('hasScheduler')) return
  const silent = read.filter(({ asked }) => asked.handles.length > 0 && !evidence.get(asked.token)?.answered)
  if (silent.length === 0) return
  const ids = silent.map(({ run }) => run.id).sort((one, other) => one - other)
  const shown = ids.length === 1 ? `run ${ids[0]} is shown as it was` : `runs ${ids.join(', ')} are shown as they were`
  workspace.warn(`${kind.name} did not answer: ${shown} before`)
}

/**
 * Judges a run and stores what has changed, in one short transaction.
 * @returns `partly` if something of its end is left to a process in the background
 */
async function keep(
  workspace: Workspace,
  snapshot: ReadRun,
  evidence: Evidence,
  refresh: Refresh,
): Promise<'wholly' | 'partly'> {
  const { run } = snapshot
  const { store } = workspace
  const judgement = judge(snapshot, evidence, refresh.clock)
  const { reports } = judgement
  if (reports.length === 0 && isSettled(run)) return 'wholly'
  const takeBack = mayEnd(run, reports) ? expectEnd(workspace, run) : null
  try {
    const isThere = storeJudgement(workspace, snapshot, evidence, judgement, refresh)
    faultPoint('refresh-stored')
    if (!isThere) return 'wholly'
    const now = store.runs.get(run.id)
    if (liveOf(now.counts) < liveOf(run.counts)) refresh.changed.push(now)
    if (isSettled(now)) await forgetSettled(workspace, snapshot)
    // The cause may become known only after the end.
    const isEnd = now.status !== run.status || (reports.length > 0 && isOver(now.counts))
    if (!isEnd) return 'wholly'
    // Told by run.yaml, which is written again now.
    if (!isOver(run.counts) && isEndNew(workspace, now)) refresh.ended.push(now)
    return await recordEnd(workspace, now)
  } finally {
    if (!refresh.ended.some(({ id }) => id === run.id)) takeBack?.()
  }
}

/** Whether a live run is over if these reports are stored. */
function mayEnd({ counts }: Run, reports: readonly GroupReport[]): boolean {
  return !isOver(counts) && reports.filter(({ status }) => hasEnded(status.state)).length >= liveOf(counts)
}

/** @returns false if the run was deleted in the meantime */
function storeJudgement(
  workspace: Workspace,
  snapshot: ReadRun,
  evidence: Evidence,
  { reports, judged }: Judgement,
  refresh: Refresh,
): boolean {
  const { run, news, cursorText } = snapshot
  const { store } = workspace
  const progress = progressOf(snapshot, reports)
  const asOf = evidence.answered ? Date.now() : run.asOf
  return store.transaction(() => {
    if (store.runs.find(run.id) === null) return false
    // States that another command has stored in the meantime are newer than those read here.
    const isAlone = store.version() === refresh.version
    const isNew = ({ index }: GroupReport) =>
      isAlone || isSame(store.refreshes.group(run.id, index), storedBefore(snapshot, index))
    const changed = isAlone || isAsRead(workspace, snapshot) ? reports.filter(isNew) : []
    // The next refresh reads again what told of groups that are not stored now.
    const mayAdvance = store.refreshes.cursor(run.id) === cursorText && changed.length === reports.length
    if (changed.length === 0) store.runs.touch(run.id, progress.percentage, asOf)
    else store.runs.update(run.id, changed, progress.percentage, asOf)
    // Of a run that is over, another command may have stored groups that were live when they were read here.
    const { counts } = store.runs.get(run.id)
    storeDealing(workspace, run.id, evidence)
    if (isOver(counts)) store.runs.touch(run.id, Math.round((1000 * counts.finished) / totalOf(counts)) / 10, asOf)
    // Without an earlier cursor, nothing shows whether another command has changed groups in the meantime.
    const cursor = JSON.stringify({
      news: news.cursor,
      progress: progress.cursors,
      ...(judged && cursorText !== null && { judged }),
    })
    if (mayAdvance && cursor !== cursorText) store.refreshes.setCursor(run.id, cursor)
    if (isAlone) refresh.version = store.version()
    return true
  })
}

/** Whether a run was not launched again since it was read, and groups that were read later have not changed. */
function isAsRead({ store }: Workspace, { run, cursor, attempts }: RunSnapshot): boolean {
  const now = store.refreshes.readCursor(store.refreshes.cursor(run.id))
  const isUnchanged = !cursor?.judged || JSON.stringify(now?.judged) === JSON.stringify(cursor.judged)
  return isUnchanged && store.attempts.of(run.id).length === attempts.length
}

function storedBefore({ known }: RunSnapshot, index: number): GroupReport | null {
  return known.open.get(index) ?? (known.settled.has(index) ? known.stored(index) : null)
}

function isSame(one: GroupReport | null, other: GroupReport | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Writes the end of a run to its own folder. The database has it already, so failures here are only warnings. */
async function recordEnd(workspace: Workspace, run: Run): Promise<'wholly' | 'partly'> {
  try {
    await storeCodeChanged(workspace, run)
    await settleCopy(workspace, run)
  } catch (error) {
    workspace.warn(`cannot tell whether the code changed while run ${run.id} ran: ${(error as Error).message}`)
  }
  if (isOver(run.counts)) await forgetSecrets(workspace, run)
  storeEnvironments(workspace, [run])
  faultPoint('refresh-end')
  renewRunYaml(workspace, run.id)
  if (!isOver(run.counts)) return 'wholly'
  try {
    return keepOutputs(workspace, run)
  } catch (error) {
    workspace.warn(`the sizes of what run ${run.id} has left could not be kept: ${(error as Error).message}`)
    return 'wholly'
  }
}
