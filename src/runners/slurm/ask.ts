import type { Evidence } from '../../domain/runs/judge-run.js'
import type { QueueWord } from '../../domain/runs/verdicts.js'
import { type Answers, type ProgramQuery, programAnswer } from '../../sites/site.js'
import type { ProgramResult } from '../../system/programs.js'
import { type JobNews, jobEvidence } from '../scheduler/evidence.js'
import { type Location, lastHandles, markOf, unsettledHandles, unsettledTasks } from '../scheduler/locate.js'
import type { AskedRun, JobHandle, LookedAt } from '../types.js'
import { type Accounted, parseAccounting, sacctWords } from './accounting.js'
import { factsQuery, isWithoutAccounting, parseFacts, queueText, slurmQuery } from './calls.js'
import { parseQueue, squeueWords } from './queue.js'
import { isLiveJob, type SlurmJob, wordOfJob } from './states.js'

const factsKey = 'slurm facts'
const queueKey = (cluster: string) => `slurm queue ${cluster}`
const accountingKey = (cluster: string) => `slurm accounting ${cluster}`

/** Asks each cluster once for all runs that it has, and the one here which it is. */
export function queueQueries(runs: readonly AskedRun[]): ProgramQuery[] {
  const clusters = [...byCluster(runs.flatMap(lastHandles))]
  const queues = clusters.map(([cluster, handles]) =>
    query(queueKey(cluster), handles[0]!, squeueWords(handles.map(({ id }) => id))),
  )
  const isHere = clusters.some(([, [handle]]) => !handle!.data.isRemote)
  return [...queues, ...(isHere ? [factsQuery(factsKey)] : [])]
}

/** Asks accounting for the submissions with a group that is not settled and that the queue does not know. */
export function accountingQueries(looks: readonly LookedAt[], answers: Answers): ProgramQuery[] {
  return [...missing(looks, queuesOf(looks, answers))].map(([cluster, handles]) => {
    const asked = handles.map(accounted)
    const since = Math.min(...asked.map(({ submitted }) => submitted))
    return query(
      accountingKey(cluster),
      handles[0]!,
      sacctWords(
        asked.map(({ id }) => id),
        since,
      ),
    )
  })
}

/** What Slurm and the journals say of each run, by its token. */
export function slurmEvidence(looks: readonly LookedAt<JobNews>[], answers: Answers): Map<string, Evidence> {
  const queues = queuesOf(looks, answers)
  const accounts = accountsOf(looks, queues, answers)
  const now = Date.now()
  return new Map(
    looks.map(({ run, news }) => {
      const answered = run.handles.length > 0 && unsettledHandles(run).every(handle => queues.has(clusterOf(handle)))
      const isFresh = (queue: Queue) => now - run.asOf < queue.jobAge - slack
      const wordOf = (location: Location) => wordAt(location, queues, accounts, isFresh)
      return [run.token, jobEvidence(run, news, answered, wordOf, location => isQueued(location, queues))]
    }),
  )
}

type Jobs = ReadonlyMap<string, SlurmJob>

/** The jobs that somebody lists. */
interface Listing {
  readonly jobs: Jobs
  /** Ids of the arrays of which a task is listed. */
  readonly arrays: ReadonlySet<string>
}

/** What squeue lists of a cluster. */
interface Queue extends Listing {
  /** For how long it lists a job after its end, in milliseconds. */
  readonly jobAge: number
}

/** Longer than from the answer of the queue until it is stored when it came, in milliseconds. */
const slack = 30_000

/** @param isFresh whether the queue was asked before so lately that it would still list what has ended since */
function wordAt(
  { handle, task }: Location,
  queues: ReadonlyMap<string, Queue>,
  accounts: ReadonlyMap<string, Listing | null>,
  isFresh: (queue: Queue) => boolean,
): QueueWord | null {
  const cluster = clusterOf(handle)
  const queue = queues.get(cluster)
  if (!queue) return null
  const id = `${handle.id}_${task}`
  const queued = queue.jobs.get(id)
  if (queued) return wordOfJob(queued)
  const accounting = accounts.get(cluster)
  // Where accounting should have answered and did not, nobody knows what became of the job.
  if (accounting === null) return null
  const ended = accounting?.jobs.get(id)
  const word = ended ? wordOfJob(ended) : null
  // sacct lags behind squeue: a job that it still reports as running but squeue no longer lists has just ended.
  if (word) return word.kind === 'ended' ? word : { kind: 'gone' }
  // Slurm forgets a task that is cancelled while it is pending, but not the others of its array. One that had started would
  // be listed, too: by squeue for a while after its end, by sacct always.
  const isListed = (queue.arrays.has(handle.id) && isFresh(queue)) || accounting?.arrays.has(handle.id)
  return { kind: isListed ? 'removed' : 'gone' }
}

function isQueued({ handle, task }: Location, queues: ReadonlyMap<string, Queue>): boolean {
  const job = queues.get(clusterOf(handle))?.jobs.get(`${handle.id}_${task}`)
  return job !== undefined && isLiveJob(job)
}

/** The queues of the clusters that have answered, and that are the ones these jobs were submitted to. */
function queuesOf(looks: readonly LookedAt[], answers: Answers): Map<string, Queue> {
  const answer = programAnswer(answers, factsKey)
  const here = answer?.exitCode === 0 ? parseFacts(answer.stdout) : null
  const { jobAge } = here ?? parseFacts('')
  const queues = new Map<string, Queue>()
  for (const [cluster, handles] of byCluster(looks.flatMap(({ run }) => lastHandles(run)))) {
    const output = queueText(programAnswer(answers, queueKey(cluster)))
    if (output === null || (!handles[0]!.data.isRemote && here?.clusterName !== cluster)) continue
    const asked = handles.map(handle => ({ id: handle.id, jobName: handle.jobName, token: markOf(handle) }))
    queues.set(cluster, { ...listing(parseQueue(output, asked)), jobAge })
  }
  return queues
}

function listing(jobs: Jobs): Listing {
  return { jobs, arrays: new Set([...jobs.keys()].map(id => id.slice(0, id.indexOf('_')))) }
}

/** Submissions with groups that should be in the queue and are not, by cluster. */
function missing(looks: readonly LookedAt[], queues: ReadonlyMap<string, Queue>): Map<string, JobHandle[]> {
  const isMissing = (run: AskedRun, handle: JobHandle) => {
    const queue = queues.get(clusterOf(handle))
    if (!queue) return false
    for (const task of unsettledTasks(run, handle)) if (!queue.jobs.has(`${handle.id}_${task}`)) return true
    return false
  }
  return byCluster(looks.flatMap(({ run }) => run.handles.filter(handle => isMissing(run, handle))))
}

/** What accounting lists, by cluster: nothing where this Slurm keeps none, null where it should have answered and did not. */
function accountsOf(
  looks: readonly LookedAt[],
  queues: ReadonlyMap<string, Queue>,
  answers: Answers,
): Map<string, Listing | null> {
  return new Map(
    [...missing(looks, queues)].map(([cluster, handles]) => {
      const jobs = accountedJobs(programAnswer(answers, accountingKey(cluster)), handles)
      return [cluster, jobs && listing(jobs)]
    }),
  )
}

function accountedJobs(result: ProgramResult | null, handles: readonly JobHandle[]): Jobs | null {
  if (isWithoutAccounting(result)) return new Map()
  return result?.exitCode === 0 ? parseAccounting(result.stdout, handles.map(accounted)) : null
}

function accounted({ id, jobName, data }: JobHandle): Accounted {
  return { id, jobName, submitted: Number(data.submitted) }
}

function query(key: string, handle: JobHandle, [program, ...words]: readonly string[]): ProgramQuery {
  return slurmQuery(key, [program!, ...clusterWords(handle), ...words])
}

/** Handles by the name of their cluster. */
export function byCluster(handles: readonly JobHandle[]): Map<string, JobHandle[]> {
  const clusters = new Map<string, JobHandle[]>()
  for (const handle of handles) {
    const name = clusterOf(handle)
    clusters.set(name, [...(clusters.get(name) ?? []), handle])
  }
  return clusters
}

function clusterOf({ data }: JobHandle): string {
  return String(data.cluster)
}

/** Options that send a command to the cluster of a handle where that is not the one here. */
export function clusterWords({ data }: JobHandle): string[] {
  return data.isRemote ? [`--clusters=${data.cluster}`] : []
}
