import type { Evidence } from '../../domain/runs/judge-run.js'
import { jobsOf, spanOf } from '../../domain/runs/launch.js'
import { hasEnded } from '../../domain/runs/run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { firstEvents, newEvents } from '../../runfolder/evidence/event-log.js'
import { type Answers, type ProgramQuery, programAnswer } from '../../sites/site.js'
import { type JobCursor, type JobNews, jobEvidence, jobNews } from '../scheduler/evidence.js'
import { indexAt, type Location, markOf, packSize, unsettledHandles, unsettledTasks } from '../scheduler/locate.js'
import type { JobHandle, PolledRun, RunWithNews } from '../types.js'
import { condorQuery, parseSchedd, scheddCommand } from './calls.js'
import { type JobState, newJob, readEvents, zoneShift } from './events.js'
import { jobIdOf, jobWords, parseJobs } from './queue.js'

const scheddKey = 'htcondor schedd'
const queueKey = 'htcondor queue'
const historyKey = 'htcondor history'

/** Asks the local schedd for its name and for the jobs that it still has. */
export function queueQueries(runs: readonly PolledRun[]): ProgramQuery[] {
  const handles = runs.flatMap(unsettledHandles)
  if (handles.length === 0) return []
  return [condorQuery(scheddKey, scheddCommand), jobsQuery(queueKey, 'condor_q', handles)]
}

/** Asks the history for jobs that neither the queue nor the event log explains. */
export function historyQueries(polled: readonly RunWithNews<CondorNews>[], answers: Answers): ProgramQuery[] {
  const missing = missingHandles(polled, queueOf(polled, answers))
  return missing.length > 0 ? [jobsQuery(historyKey, 'condor_history', missing)] : []
}

/** A cursor that also contains the positions in the event logs. */
interface CondorCursor extends JobCursor {
  /** Bytes read of the log of each attempt, by its number. */
  readonly events: Readonly<Record<string, number>>
  /** The jobs of many groups with an event so far, by `cluster.proc`: their groups do not tell their states. */
  readonly jobs?: Readonly<Record<string, JobState>>
}

/** New records and events since the last refresh. */
export interface CondorNews extends JobNews {
  readonly cursor: CondorCursor
  /** The jobs with a new event, by `cluster.proc`. */
  readonly states: ReadonlyMap<string, SchedulerState>
}

/** Reads what is new in the journals and the event logs of a run. */
export function condorNews(run: PolledRun): CondorNews {
  const { events: earlier = {}, jobs: before = {} } = (run.cursor as Partial<CondorCursor> | null) ?? {}
  const packed: Record<string, JobState> = { ...before }
  const events: Record<string, number> = {}
  const states = new Map<string, SchedulerState>()
  for (const handle of run.handles) {
    const place = { offset: earlier[handle.attempt] ?? 0 }
    const jobs = new Map<number, JobState>()
    let shift: number | null = null
    for (const piece of newEvents(run.place.here, handle.attempt, place)) {
      shift ??= zoneShift(firstEvents(run.place.here, handle.attempt), Number(handle.data.submitted))
      const of = { id: handle.id, count: jobsOf(spanOf(handle)).length }
      readEvents(piece, of, jobs, task => packed[`${handle.id}.${task}`] ?? stateBefore(run, handle, task), shift)
    }
    for (const [task, job] of jobs) {
      if (packSize(handle) !== null) packed[`${handle.id}.${task}`] = job
      else if (job.state) states.set(`${handle.id}.${task}`, job.state)
    }
    events[handle.attempt] = place.offset
  }
  for (const [id, { state }] of Object.entries(packed)) if (state) states.set(id, state)
  const news = jobNews(run)
  const isPacked = Object.keys(packed).length > 0
  return { cursor: { ...news.cursor, events, ...(isPacked && { jobs: packed }) }, records: news.records, states }
}

/** The state of a job after the events read so far, derived from the stored state of its group. */
function stateBefore(run: PolledRun, handle: JobHandle, task: number): JobState {
  if (packSize(handle) !== null) return newJob
  const report = run.open.get(indexAt(handle, task))
  if (!report || (report.attempt ?? 1) !== handle.attempt) return newJob
  const { status, restarts = 0 } = report
  if (status.state !== 'running') return { state: { kind: 'pending', restarts }, restarts, started: null }
  const { state: kind, ...place } = status
  return { state: { kind, restarts, ...place }, restarts, started: status.started }
}

/** The evidence from HTCondor and the journals for each run, by its token. */
export function condorEvidence(polled: readonly RunWithNews<CondorNews>[], answers: Answers): Map<string, Evidence> {
  const queue = queueOf(polled, answers)
  const history = historyOf(polled, queue, answers)
  const said = [queueKey, historyKey].map(key => {
    const answer = programAnswer(answers, key)
    return answer && [answer.exitCode, answer.digest]
  })
  return new Map(
    polled.map(({ run, news }) => {
      const answered = queue !== null && unsettledHandles(run).every(handle => scheddOf(handle) === queue.schedd)
      const stateAt = (location: Location) => stateOf({ run, news }, location, queue, history)
      const isQueued = ({ handle, task }: Location) => queue?.jobs.has(jobIdOf(handle, task)) ?? false
      const digest = JSON.stringify([queue?.schedd, said, [...news.states]])
      return [run.token, jobEvidence(run, news, answered && run.handles.length > 0, stateAt, isQueued, digest)]
    }),
  )
}

type Jobs = ReadonlyMap<string, SchedulerState>

/** The queue of the local schedd. */
interface Queue {
  readonly schedd: string
  readonly jobs: Jobs
  /** Clusters that have a job in the queue. */
  readonly clusters: ReadonlySet<string>
}

function stateOf(
  { run, news }: RunWithNews<CondorNews>,
  { handle, task }: Location,
  queue: Queue | null,
  history: Jobs | null,
): SchedulerState | null {
  const id = jobIdOf(handle, task)
  const state = news.states.get(id) ?? null
  if (state?.kind === 'ended' || queue === null || scheddOf(handle) !== queue.schedd) return state
  const queued = queue.jobs.get(id)
  // A job that was submitted as held has no event for that.
  if (queued) return queued.kind === 'held' || state === null ? queued : state
  if (state === null && mayCome(run, handle, task, queue)) return null
  if (history === null) return state
  return history.get(id) ?? { kind: 'gone' }
}

/** Jobs that are not materialized yet (max_materialize) are in no answer, but other jobs of their cluster are. */
function mayCome(run: PolledRun, handle: JobHandle, task: number, { clusters }: Queue): boolean {
  return clusters.has(handle.id) && !run.open.has(indexAt(handle, task))
}

/** Null if the local schedd does not answer. */
function queueOf(polled: readonly RunWithNews[], answers: Answers): Queue | null {
  const asked = programAnswer(answers, scheddKey)
  const schedd = asked && parseSchedd(asked)
  const result = programAnswer(answers, queueKey)
  if (!schedd || result?.exitCode !== 0) return null
  const jobs = parseJobs(result.stdout, marksOf(polled), true)
  return jobs && { schedd, jobs, clusters: new Set([...jobs.keys()].map(id => id.split('.')[0]!)) }
}

/** Empty if the history was not needed; null if it did not answer. */
function historyOf(polled: readonly RunWithNews<CondorNews>[], queue: Queue | null, answers: Answers): Jobs | null {
  if (missingHandles(polled, queue).length === 0) return new Map()
  const result = programAnswer(answers, historyKey)
  return result?.exitCode === 0 ? parseJobs(result.stdout, marksOf(polled), false) : null
}

/** The submissions with a job that should be in the queue and is not. */
function missingHandles(polled: readonly RunWithNews<CondorNews>[], queue: Queue | null): JobHandle[] {
  if (queue === null) return []
  return polled.flatMap(({ run, news }) => {
    const isMissing = (handle: JobHandle, task: number) => {
      const id = jobIdOf(handle, task)
      if (queue.jobs.has(id) || news.states.get(id)?.kind === 'ended') return false
      const stored = packSize(handle) === null ? run.open.get(indexAt(handle, task))?.status.state : undefined
      if (stored && hasEnded(stored)) return false
      return news.states.has(id) || !mayCome(run, handle, task, queue)
    }
    return run.handles.filter(handle => {
      if (scheddOf(handle) !== queue.schedd) return false
      for (const task of unsettledTasks(run, handle)) if (isMissing(handle, task)) return true
      return false
    })
  })
}

function marksOf(polled: readonly RunWithNews[]): Set<string> {
  return new Set(polled.flatMap(({ run }) => run.handles.map(markOf)))
}

function jobsQuery(key: string, program: string, handles: readonly JobHandle[]): ProgramQuery {
  return condorQuery(key, [program, ...jobWords(handles.map(({ id }) => id))])
}

function scheddOf({ data }: JobHandle): string {
  return String(data.schedd)
}
