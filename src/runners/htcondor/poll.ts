import { existsSync, readFileSync } from 'node:fs'
import type { SchedulerWord } from '../../domain/runs/judge-group.js'
import { hasEnded } from '../../domain/runs/run.js'
import { indexAt, locator, markOf } from '../scheduler/locate.js'
import { reportRun } from '../scheduler/report-run.js'
import type { JobHandle, PollAnswer, PolledRun, PollOptions } from '../types.js'
import { askCondor, scheddName } from './calls.js'
import { type EventWords, readEvents } from './events.js'
import { jobWords, parseJobs } from './queue.js'
import { eventLog } from './submission.js'

/** What a schedd has answered, by `cluster.proc`. */
interface Answer {
  readonly queue: ReadonlyMap<string, SchedulerWord>
  /** Null where it should have answered and did not. */
  history: ReadonlyMap<string, SchedulerWord> | null
}

/**
 * The event log of each run tells what happens to its jobs; the schedd is asked once for all runs which of them it
 * still has, and once more for those that neither it nor the log can account for.
 */
export async function pollCondor(
  runs: readonly PolledRun[],
  options: PollOptions,
): Promise<ReadonlyMap<string, PollAnswer>> {
  const answers = options.ask ? await askSchedds(runs) : new Map<string, Answer>()
  // Read after the schedds were asked: what has left the queue by then is in the log.
  const logs = new Map(runs.flatMap(run => run.handles).map(handle => [handle, eventsOf(handle)]))
  if (options.ask) await askHistories(runs, answers, logs)
  return new Map(
    runs.map(run => {
      const answered = run.handles.length > 0 && run.handles.every(handle => answers.has(scheddOf(handle)))
      const wordOf = new Map(
        run.handles.map(handle => [handle, wordsOf(handle, logs.get(handle)!, answers.get(scheddOf(handle)))]),
      )
      const reports = reportRun(run, ({ handle, task }) => wordOf.get(handle)!(task), options)
      return [run.token, { answered, reports }]
    }),
  )
}

/** What is known of each job of a cluster, by its number in it. */
function wordsOf(handle: JobHandle, events: EventWords, answer: Answer | undefined) {
  // Jobs that max_materialize has not made yet are in no answer as long as others of their cluster are.
  const isThere = answer !== undefined && hasCluster(answer.queue, handle)
  return (task: number): SchedulerWord | null => {
    const word = events.get(task) ?? null
    if (word?.kind === 'ended' || answer === undefined) return word
    const id = `${handle.id}.${task}`
    const queued = answer.queue.get(id)
    // A job that was submitted held has no event that says so.
    if (queued) return queued.kind === 'held' || word === null ? queued : word
    if (word === null && isThere) return null
    if (answer.history === null) return word
    return answer.history.get(id) ?? { kind: 'gone' }
  }
}

function hasCluster(queue: ReadonlyMap<string, SchedulerWord>, { id }: JobHandle): boolean {
  for (const job of queue.keys()) if (job.startsWith(`${id}.`)) return true
  return false
}

function eventsOf({ id, storagePath, attempt }: JobHandle): EventWords {
  const file = `${storagePath}/${eventLog(attempt)}`
  return existsSync(file) ? readEvents(readFileSync(file, 'utf8'), Number(id)) : new Map()
}

function scheddOf({ data }: JobHandle): string {
  return String(data.schedd)
}

/** Only the schedd that is used from here can be asked. */
async function askSchedds(runs: readonly PolledRun[]): Promise<Map<string, Answer>> {
  const here = await scheddName().catch(() => null)
  const handles = here === null ? [] : handlesOf(runs, here)
  const queue = handles.length > 0 ? await ask('condor_q', handles) : null
  return new Map(here !== null && queue ? [[here, { queue, history: new Map() }]] : [])
}

async function askHistories(
  runs: readonly PolledRun[],
  answers: ReadonlyMap<string, Answer>,
  logs: ReadonlyMap<JobHandle, EventWords>,
): Promise<void> {
  for (const [name, answer] of answers) {
    const missing = runs.flatMap(run => {
      const locate = locator(run.handles)
      return handlesOf([run], name).filter(handle => isMissing(run, handle, locate, logs.get(handle)!, answer))
    })
    if (missing.length > 0) answer.history = await ask('condor_history', missing)
  }
}

/** Whether a job of a cluster should be in the queue, as far as is known, and is not. */
function isMissing(
  { known }: PolledRun,
  handle: JobHandle,
  locate: ReturnType<typeof locator>,
  events: EventWords,
  { queue }: Answer,
): boolean {
  const isThere = hasCluster(queue, handle)
  for (let task = 0; task < handle.count; task++) {
    const index = indexAt(handle, task)
    const report = known.get(index)
    const isSettled = report && hasEnded(report.status.state) && report.awaiting === undefined
    const word = events.get(task)
    if (isSettled || word?.kind === 'ended' || locate(index)?.handle !== handle) continue
    if (!queue.has(`${handle.id}.${task}`) && (word !== undefined || !isThere)) return true
  }
  return false
}

function handlesOf(runs: readonly PolledRun[], schedd: string): JobHandle[] {
  return runs.flatMap(run => run.handles).filter(handle => scheddOf(handle) === schedd)
}

/** Null where there was no answer. */
async function ask(program: string, handles: readonly JobHandle[]) {
  const result = await askCondor([program, ...jobWords(handles.map(({ id }) => id))])
  return result.exitCode === 0 ? parseJobs(result.stdout, new Set(handles.map(markOf))) : null
}
