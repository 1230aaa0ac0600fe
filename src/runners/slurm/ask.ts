import { createHash } from 'node:crypto'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { QueueWord } from '../../domain/runs/verdicts.js'
import { type Answers, type ProgramQuery, programAnswer } from '../../sites/site.js'
import type { ProgramResult } from '../../system/programs.js'
import { type JobNews, jobEvidence } from '../scheduler/evidence.js'
import { type Location, lastHandles, unsettledHandles, unsettledTasks } from '../scheduler/locate.js'
import type { AskedRun, JobHandle, LookedAt } from '../types.js'
import { type Accounted, parseAccounting, sacctWords } from './accounting.js'
import { factsQuery, isWithoutAccounting, parseFacts, queueText, slurmQuery } from './calls.js'
import { submittedOf } from './ours.js'
import { parseQueue, squeueWords } from './queue.js'
import { isLiveJob, type SlurmJob, wordOfJob } from './states.js'

const factsKey = 'slurm facts'
const queueKey = (cluster: string) => `slurm queue ${cluster}`
const accountingKey = (cluster: string) => `slurm accounting ${cluster}`

/** Polls each cluster once for all its runs, and asks the local cluster for its name. */
export function queueQueries(runs: readonly AskedRun[]): ProgramQuery[] {
  const clusters = [...byCluster(runs.flatMap(lastHandles))]
  const queues = clusters.map(([cluster, handles]) =>
    query(queueKey(cluster), handles[0]!, squeueWords(handles.map(({ id }) => id))),
  )
  const isHere = clusters.some(([, [handle]]) => !handle!.data.isRemote)
  return [...queues, ...(isHere ? [factsQuery(factsKey)] : [])]
}

/**
 * Asks sacct for submissions with a group that is not settled and not in the queue, and for jobs that are in the queue but have
 * ended: only sacct knows what they have used.
 */
export function accountingQueries(looks: readonly LookedAt[], answers: Answers): ProgramQuery[] {
  const queues = queuesOf(looks, answers)
  const gone = missing(looks, queues)
  return [...queues].flatMap(([cluster, queue]) => {
    const whole = gone.get(cluster) ?? []
    const some = looks.flatMap(({ run }) =>
      run.handles
        .filter(handle => clusterOf(handle) === cluster && !whole.includes(handle))
        .map(handle => ({ handle, ids: endedJobs(run, handle, queue) }))
        .filter(({ ids }) => ids.length > 0),
    )
    const handles = [...whole, ...some.map(({ handle }) => handle)]
    if (handles.length === 0) return []
    const since = Math.min(...handles.map(handle => accounted(handle).submitted))
    const ids = [...whole.map(({ id }) => id), ...some.flatMap(each => each.ids)]
    return [query(accountingKey(cluster), handles[0]!, sacctWords(ids, since))]
  })
}

/** More jobs than this are not named one by one. */
const mostNamed = 200

/** The ids of jobs in the queue that have ended, of groups that are not settled. */
function endedJobs(run: AskedRun, handle: JobHandle, queue: Queue): string[] {
  const ids: string[] = []
  for (const task of unsettledTasks(run, handle)) {
    const job = queue.jobs.get(`${handle.id}_${task}`)
    if (job && wordOfJob(job)?.kind === 'ended') ids.push(job.id)
    if (ids.length > mostNamed) return [handle.id]
  }
  return ids
}

/** The evidence from Slurm and the journals for each run, by its token. */
export function slurmEvidence(looks: readonly LookedAt<JobNews>[], answers: Answers): Map<string, Evidence> {
  const queues = queuesOf(looks, answers)
  const accounts = accountsOf(looks, answers)
  const now = Date.now()
  return new Map(
    looks.map(({ run, news }) => {
      const answered = run.handles.length > 0 && unsettledHandles(run).every(handle => queues.has(clusterOf(handle)))
      const isFresh = (queue: Queue) => now - run.asOf < queue.jobAge - slack
      const wordOf = (location: Location) => wordAt(location, queues, accounts, isFresh)
      const heard = [...byCluster(run.handles).keys()].map(name => {
        const queue = queues.get(name)
        return [name, queue && [queue.digest, isFresh(queue)], accounts.get(name)?.digest]
      })
      return [
        run.token,
        jobEvidence(run, news, answered, wordOf, location => isQueued(location, queues), JSON.stringify(heard)),
      ]
    }),
  )
}

type Jobs = ReadonlyMap<string, SlurmJob>

/** Jobs listed by squeue or sacct. */
interface Listing {
  readonly jobs: Jobs
  /** Ids of the arrays with a listed task. */
  readonly arrays: ReadonlySet<string>
  /** Of what was listed. */
  readonly digest: string
}

/** Jobs of a cluster listed by squeue. */
interface Queue extends Listing {
  /** How long squeue lists a job after its end, in milliseconds. */
  readonly jobAge: number
}

/** Longer than the time between the queue's answer and its storing, in milliseconds. */
const slack = 30_000

/** @param isFresh whether the previous poll was so recent that squeue would still list jobs that ended since */
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
  const accounting = accounts.get(cluster)
  if (queued) return withUsage(wordOfJob(queued), accounting?.jobs.get(id))
  // If sacct did not answer, the state of the job is unknown.
  if (accounting === null) return null
  const ended = accounting?.jobs.get(id)
  const word = ended ? wordOfJob(ended) : null
  // sacct lags behind squeue: a job that it still reports as running but squeue no longer lists has just ended.
  if (word) return word.kind === 'ended' ? word : { kind: 'gone' }
  // Slurm forgets a task that is cancelled while it is pending, but not the others of its array. A task that had started
  // would be listed: by squeue for a while after its end, by sacct always.
  const isListed = (queue.arrays.has(handle.id) && isFresh(queue)) || accounting?.arrays.has(handle.id)
  return { kind: isListed ? 'removed' : 'gone' }
}

function withUsage(word: QueueWord | null, job: SlurmJob | undefined): QueueWord | null {
  return word?.kind === 'ended' && job?.used ? { ...word, used: job.used } : word
}

function isQueued({ handle, task }: Location, queues: ReadonlyMap<string, Queue>): boolean {
  const job = queues.get(clusterOf(handle))?.jobs.get(`${handle.id}_${task}`)
  return job !== undefined && isLiveJob(job)
}

/** The queues of the clusters that have answered and to which these jobs were submitted. */
function queuesOf(looks: readonly LookedAt[], answers: Answers): Map<string, Queue> {
  const answer = programAnswer(answers, factsKey)
  const here = answer?.exitCode === 0 ? parseFacts(answer.stdout) : null
  const { jobAge } = here ?? parseFacts('')
  const queues = new Map<string, Queue>()
  for (const [cluster, handles] of byCluster(looks.flatMap(({ run }) => lastHandles(run)))) {
    const output = queueText(programAnswer(answers, queueKey(cluster)))
    if (output === null || (!handles[0]!.data.isRemote && here?.clusterName !== cluster)) continue
    queues.set(cluster, { ...listing(parseQueue(output, handles.map(submittedOf)), output), jobAge })
  }
  return queues
}

function listing(jobs: Jobs, output: string): Listing {
  const digest = createHash('sha256').update(output).digest('hex')
  return { jobs, digest, arrays: new Set([...jobs.keys()].map(id => id.slice(0, id.indexOf('_')))) }
}

/** Submissions with groups that should be in the queue but are not, by cluster. */
function missing(looks: readonly LookedAt[], queues: ReadonlyMap<string, Queue>): Map<string, JobHandle[]> {
  const isMissing = (run: AskedRun, handle: JobHandle) => {
    const queue = queues.get(clusterOf(handle))
    if (!queue) return false
    for (const task of unsettledTasks(run, handle)) if (!queue.jobs.has(`${handle.id}_${task}`)) return true
    return false
  }
  return byCluster(looks.flatMap(({ run }) => run.handles.filter(handle => isMissing(run, handle))))
}

/** Jobs listed by sacct, by cluster: none if this Slurm has no accounting, null if sacct did not answer. */
function accountsOf(looks: readonly LookedAt[], answers: Answers): Map<string, Listing | null> {
  return new Map(
    [...byCluster(looks.flatMap(({ run }) => run.handles))].map(([cluster, handles]) => {
      const result = programAnswer(answers, accountingKey(cluster))
      const jobs = accountedJobs(result, handles)
      return [cluster, jobs && listing(jobs, result?.stdout ?? '')]
    }),
  )
}

function accountedJobs(result: ProgramResult | null, handles: readonly JobHandle[]): Jobs | null {
  if (isWithoutAccounting(result)) return new Map()
  return result?.exitCode === 0 ? parseAccounting(result.stdout, handles.map(accounted)) : null
}

function accounted(handle: JobHandle): Accounted {
  return { ...submittedOf(handle), submitted: Number(handle.data.submitted) }
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

/** Options that send a command to the cluster of a handle, if that is not the local one. */
export function clusterWords({ data }: JobHandle): string[] {
  return data.isRemote ? [`--clusters=${data.cluster}`] : []
}
