import { groupBy } from '../../domain/group-by.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { OperationError, type QanatError, SchedulerError } from '../../errors.js'
import { type Answers, type ProgramQuery, programAnswer, type Site } from '../../sites/site.js'
import type { ProgramResult } from '../../system/programs.js'
import { type JobNews, jobEvidence } from '../scheduler/evidence.js'
import { type Location, lastHandles, unsettledHandles, unsettledTasks } from '../scheduler/locate.js'
import type { JobHandle, PolledRun, RunWithNews } from '../types.js'
import { parseAccounting, sacctWords } from './accounting.js'
import { factsQuery, isWithoutAccounting, notAnswering, parseFacts, slurmQuery } from './calls.js'
import type { Listing } from './listing.js'
import { withMemoryKill } from './memory-kill.js'
import { parseQueue, queueEncoding, queueOutput, squeueWords } from './queue.js'
import { isLiveJob, stateOfJob } from './states.js'

const factsKey = 'slurm facts'
const queueKey = (cluster: string) => `slurm queue ${cluster}`
const accountingKey = (cluster: string) => `slurm accounting ${cluster}`

/**
 * Polls each cluster once for all its runs.
 * @param isFar whether another visit takes longer than a question that may not be needed: then the name of the cluster is asked, too
 */
export function queueQueries(runs: readonly PolledRun[], isFar: boolean): ProgramQuery[] {
  const queries = queriesOf(runs.flatMap(lastHandles))
  return isFar && queries.length > 0 ? [...queries, factsQuery(factsKey)] : queries
}

function queriesOf(handles: readonly JobHandle[]): ProgramQuery[] {
  return [...byCluster(handles)].map(([cluster, ofCluster]) =>
    query(queueKey(cluster), ofCluster[0]!, squeueWords(ofCluster), queueEncoding),
  )
}

/**
 * The submissions whose jobs are in the queue now. Slurm gives ids again: another job may have the id of one that is gone.
 * @throws QanatError if Slurm does not answer, or does not say whose job has an id
 */
export async function queuedHandles(site: Site, handles: readonly JobHandle[]): Promise<JobHandle[]> {
  if (handles.length === 0) return []
  const answers = await site.visit([...queriesOf(handles), factsQuery(factsKey)], [])
  const queues = queuesOf(handles, answers)
  return handles.filter(handle => {
    const listing = queues.get(clusterOf(handle))?.listing
    if (!listing) throw silence(handle, answers)
    const isOurs = listing.knows(handle)
    if (isOurs || !listing.lists(handle)) return isOurs
    throw new SchedulerError(
      `squeue does not say whether the job ${handle.id} is one of this run, so it was not cancelled`,
      `squeue --jobs=${handle.id} shows it, and scancel ${handle.id} cancels it`,
    )
  })
}

/** Why the queue of a submission is not known. */
function silence(handle: JobHandle, answers: Answers): QanatError {
  const cluster = clusterOf(handle)
  const [queue, facts] = [queueKey(cluster), factsKey].map(key => programAnswer(answers, key)!)
  if (queueOutput(queue!) === null) return notAnswering('squeue', queue!)
  if (facts!.exitCode !== 0) return notAnswering('scontrol', facts!)
  return new OperationError(`its jobs belong to the Slurm cluster ${cluster}`, 'cancel it there')
}

/**
 * Asks the local cluster for its name, and sacct for submissions with a group that is not settled and not in the queue, and for
 * jobs that are in the queue but have ended: only sacct knows what they have used.
 */
export function furtherQueries(polled: readonly RunWithNews[], answers: Answers): ProgramQuery[] {
  const queues = queuesOf(polled.flatMap(lastHandlesOf), answers)
  const isListed = (handle: JobHandle) => queues.get(clusterOf(handle))?.listing.lists(handle)
  // A run that has ended can only change if one of its jobs is in the queue again.
  const mayChange = polled.filter(({ run }) => unsettledHandles(run).length > 0 || run.handles.some(isListed))
  const isAnswered = (handle: JobHandle) => queues.has(clusterOf(handle)) && !handle.data.isRemote
  const isLocal = mayChange.some(({ run }) => lastHandles(run).some(isAnswered))
  return [...(isLocal ? [factsQuery(factsKey)] : []), ...accountingQueries(polled, queues)]
}

function accountingQueries(polled: readonly RunWithNews[], queues: ReadonlyMap<string, Queue>): ProgramQuery[] {
  const gone = missing(polled, queues)
  return [...queues].flatMap(([cluster, queue]) => {
    const whole = gone.get(cluster) ?? []
    const some = polled.flatMap(({ run }) =>
      run.handles
        .filter(handle => clusterOf(handle) === cluster && !whole.includes(handle))
        .map(handle => ({ handle, ids: endedJobs(run, handle, queue) }))
        .filter(({ ids }) => ids.length > 0),
    )
    const handles = [...whole, ...some.map(({ handle }) => handle)]
    if (handles.length === 0) return []
    const since = Math.min(...handles.map(({ data }) => Number(data.submitted)))
    const ids = [...whole.map(({ id }) => id), ...some.flatMap(each => each.ids)]
    return [query(accountingKey(cluster), handles[0]!, sacctWords(ids, since))]
  })
}

/** More jobs than this are not named one by one. */
const mostNamed = 200

/** The ids of jobs in the queue that have ended, of groups that are not settled. */
function endedJobs(run: PolledRun, handle: JobHandle, queue: Queue): string[] {
  const ids: string[] = []
  for (const task of unsettledTasks(run, handle)) {
    const id = `${handle.id}_${task}`
    const job = queue.listing.job(handle, task)
    if (job && stateOfJob(id, job)?.kind === 'ended') ids.push(id)
    if (ids.length > mostNamed) return [handle.id]
  }
  return ids
}

/**
 * The evidence from Slurm and the journals for each run, by its token. If the local cluster was not asked for its name,
 * the evidence may be used only for runs that were already judged by the same answer of squeue.
 */
export function slurmEvidence(polled: readonly RunWithNews<JobNews>[], answers: Answers): Map<string, Evidence> {
  const queues = queuesOf(polled.flatMap(lastHandlesOf), answers)
  const accounts = accountsOf(polled, answers)
  const now = Date.now()
  const isAnswered = (handle: JobHandle) => queues.has(clusterOf(handle))
  return new Map(
    polled.map(({ run, news }) => {
      const answered =
        run.handles.length > 0 && (run.handles.every(isAnswered) || unsettledHandles(run).every(isAnswered))
      const isFresh = (queue: Queue) => now - run.asOf < queue.jobAge - slack
      const stateOf = (location: Location) =>
        withMemoryKill(stateAt(location, queues, accounts, isFresh), location, news)
      const digest = [...byCluster(run.handles).keys()].map(name => {
        const queue = queues.get(name)
        const accounted = programAnswer(answers, accountingKey(name))
        // How fresh the queue is matters only for groups that are not in it, and sacct is asked for those.
        const further = accounted && [accounted.exitCode, accounted.digest, queue && isFresh(queue)]
        return [name, queue?.digest, further]
      })
      return [
        run.token,
        jobEvidence(run, news, answered, stateOf, location => isQueued(location, queues), JSON.stringify(digest)),
      ]
    }),
  )
}

/** Jobs of a cluster listed by squeue, which are parsed once they are asked for. */
class Queue {
  /**
   * @param answer of squeue
   * @param jobAge how long squeue lists a job after its end, in milliseconds
   */
  constructor(
    private readonly answer: ProgramResult,
    readonly jobAge: number,
  ) {}

  get digest() {
    return this.answer.digest
  }

  get listing(): Listing {
    const known = parsedQueues.get(this.answer)
    if (known) return known
    const parsed = parseQueue(queueOutput(this.answer)!)
    parsedQueues.set(this.answer, parsed)
    return parsed
  }
}

/** A refresh reads an answer twice: to find out what else to ask, and to judge. */
const parsedQueues = new WeakMap<ProgramResult, Listing>()

/** Longer than the time between the queue's answer and its storing, in milliseconds. */
const slack = 30_000

/** @param isFresh whether the previous poll was so recent that squeue would still list jobs that ended since */
function stateAt(
  { handle, task }: Location,
  queues: ReadonlyMap<string, Queue>,
  accounts: ReadonlyMap<string, Listing | null>,
  isFresh: (queue: Queue) => boolean,
): SchedulerState | null {
  const cluster = clusterOf(handle)
  const queue = queues.get(cluster)
  if (!queue) return null
  const id = `${handle.id}_${task}`
  const queued = queue.listing.job(handle, task)
  const accounting = accounts.get(cluster)
  if (queued) {
    const state = stateOfJob(id, queued)
    if (state?.kind !== 'ended') return state
    const used = accounting?.job(handle, task)?.used
    return used ? { ...state, used } : state
  }
  // If sacct did not answer, the state of the job is unknown.
  if (accounting === null) return null
  const ended = accounting?.job(handle, task)
  const state = ended ? stateOfJob(id, ended) : null
  // sacct lags behind squeue: a job that it still reports as running but squeue no longer lists has just ended.
  if (state) return state.kind === 'ended' ? state : { kind: 'gone' }
  // Slurm forgets a task that is cancelled while it is pending, but not the others of its array. A task that had started
  // would be listed: by squeue for a while after its end, by sacct always.
  const isListed = (queue.listing.lists(handle) && isFresh(queue)) || accounting?.lists(handle)
  return { kind: isListed ? 'removed' : 'gone' }
}

function isQueued({ handle, task }: Location, queues: ReadonlyMap<string, Queue>): boolean {
  const job = queues.get(clusterOf(handle))?.listing.job(handle, task)
  return job != null && isLiveJob(job)
}

function lastHandlesOf({ run }: RunWithNews): JobHandle[] {
  return lastHandles(run)
}

/**
 * The queues of the clusters that have answered and to which these jobs were submitted. If the local cluster was not
 * asked for its name, it counts as the cluster to which they were submitted.
 */
function queuesOf(asked: readonly JobHandle[], answers: Answers): Map<string, Queue> {
  const answer = programAnswer(answers, factsKey)
  const here = answer?.exitCode === 0 ? parseFacts(answer.stdout) : null
  const { jobAge } = here ?? parseFacts('')
  const queues = new Map<string, Queue>()
  for (const [cluster, handles] of byCluster(asked)) {
    const queue = programAnswer(answers, queueKey(cluster))
    const isOther = answer !== null && !handles[0]!.data.isRemote && here?.clusterName !== cluster
    if (queue === null || queueOutput(queue) === null || isOther) continue
    queues.set(cluster, new Queue(queue, jobAge))
  }
  return queues
}

/** Submissions with groups that should be in the queue but are not, by cluster. */
function missing(polled: readonly RunWithNews[], queues: ReadonlyMap<string, Queue>): Map<string, JobHandle[]> {
  const isMissing = (run: PolledRun, handle: JobHandle) => {
    const queue = queues.get(clusterOf(handle))
    if (!queue) return false
    for (const task of unsettledTasks(run, handle)) if (!queue.listing.job(handle, task)) return true
    return false
  }
  return byCluster(polled.flatMap(({ run }) => run.handles.filter(handle => isMissing(run, handle))))
}

/** Jobs listed by sacct, by cluster: none if this Slurm has no accounting, null if sacct did not answer. */
function accountsOf(polled: readonly RunWithNews[], answers: Answers): Map<string, Listing | null> {
  const clusters = new Set(polled.flatMap(({ run }) => run.handles).map(clusterOf))
  return new Map([...clusters].map(cluster => [cluster, accounts(programAnswer(answers, accountingKey(cluster)))]))
}

function accounts(result: ProgramResult | null): Listing | null {
  if (isWithoutAccounting(result)) return parseAccounting('')
  return result?.exitCode === 0 ? parseAccounting(result.stdout) : null
}

function query(
  key: string,
  handle: JobHandle,
  [program, ...words]: readonly string[],
  encoding?: typeof queueEncoding,
): ProgramQuery {
  return slurmQuery(key, [program!, ...clusterWords(handle), ...words], encoding)
}

/** Handles by the name of their cluster. */
export function byCluster(handles: readonly JobHandle[]): Map<string, JobHandle[]> {
  return groupBy(handles, clusterOf)
}

function clusterOf({ data }: JobHandle): string {
  return String(data.cluster)
}

/** Options that send a command to the cluster of a handle, if that is not the local one. */
export function clusterWords({ data }: JobHandle): string[] {
  return data.isRemote ? [`--clusters=${data.cluster}`] : []
}
