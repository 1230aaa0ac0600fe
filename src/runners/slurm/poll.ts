import type { SchedulerWord } from '../../domain/runs/judge-group.js'
import { hasEnded } from '../../domain/runs/run.js'
import { indexAt, type Location, locator, markOf } from '../scheduler/locate.js'
import { reportRun } from '../scheduler/report-run.js'
import type { JobHandle, PollAnswer, PolledRun, PollOptions } from '../types.js'
import { parseAccounting, sacctWords } from './accounting.js'
import { askSlurm, slurmFacts } from './calls.js'
import { parseQueue, squeueWords } from './queue.js'
import { type SlurmJob, wordOfJob } from './states.js'

/** What one cluster has answered. */
interface Answer {
  readonly queue: ReadonlyMap<string, SlurmJob>
  /** Null where it should have answered and did not. */
  accounting: ReadonlyMap<string, SlurmJob> | null
}

/** Asks each cluster once for all runs that it has: squeue, then sacct for what is not in the queue any more. */
export async function pollSlurm(
  runs: readonly PolledRun[],
  options: PollOptions,
): Promise<ReadonlyMap<string, PollAnswer>> {
  const answers = options.ask ? await askClusters(runs) : new Map<string, Answer>()
  return new Map(
    runs.map(run => {
      const reports = reportRun(run, location => wordOf(location, answers), options)
      const answered = run.handles.length > 0 && run.handles.every(handle => answers.has(clusterOf(handle)))
      return [run.token, { answered, reports }]
    }),
  )
}

function wordOf({ handle, task }: Location, answers: ReadonlyMap<string, Answer>): SchedulerWord | null {
  const answer = answers.get(clusterOf(handle))
  if (!answer) return null
  const id = `${handle.id}_${task}`
  const queued = answer.queue.get(id)
  if (queued) return wordOfJob(queued)
  if (answer.accounting === null) return null
  const ended = answer.accounting.get(id)
  const word = ended ? wordOfJob(ended) : null
  // Accounting lags: what it takes to live and the queue does not know is on its way from one to the other.
  return word?.kind === 'ended' ? word : { kind: 'gone' }
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

async function askClusters(runs: readonly PolledRun[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const clusters = byCluster(runs.flatMap(run => run.handles))
  await Promise.all(
    [...clusters].map(async ([name, handles]) => {
      const queue = await askQueue(name, handles)
      if (queue) answers.set(name, { queue, accounting: new Map() })
    }),
  )
  for (const [name, answer] of answers) {
    const missing = runs.flatMap(run => missingOf(run, name, answer))
    if (missing.length > 0) answer.accounting = await askAccounting(missing)
  }
  return answers
}

/** Null where the cluster did not answer, or is not the one that these jobs were submitted to. */
async function askQueue(name: string, handles: readonly JobHandle[]): Promise<ReadonlyMap<string, SlurmJob> | null> {
  const [first] = handles as [JobHandle]
  const [facts, output] = await Promise.all([
    first.data.isRemote ? null : slurmFacts().catch(() => 'silent' as const),
    askJobs(handles, false),
  ])
  if (facts === 'silent' || (facts && facts.clusterName !== name) || output === null) return null
  const asked = handles.map(handle => ({ id: handle.id, jobName: handle.jobName, token: markOf(handle) }))
  const jobs = parseQueue(output, asked)
  if (jobs) return jobs
  const longer = await askJobs(handles, true)
  return longer === null ? null : parseQueue(longer, asked)
}

/** What squeue prints of these jobs; null where it did not answer. */
async function askJobs(handles: readonly JobHandle[], each: boolean): Promise<string | null> {
  const ids = handles.map(({ id }) => id)
  const [program, ...words] = squeueWords(ids, each) as [string, ...string[]]
  const result = await askSlurm([program, ...clusterWords(handles[0]!), ...words])
  if (result.exitCode === 0) return result.stdout
  // That is how it says that it has purged all of them.
  return /Invalid job id/i.test(result.stderr) ? '' : null
}

/** Submissions of a run at a cluster with groups that the queue does not know and that are not settled. */
function missingOf({ handles, known }: PolledRun, name: string, { queue }: Answer): JobHandle[] {
  const locate = locator(handles)
  const isMissing = (handle: JobHandle, task: number) => {
    const index = indexAt(handle, task)
    const report = known.get(index)
    const isSettled = report && hasEnded(report.status.state) && report.awaiting === undefined
    return !isSettled && locate(index)?.handle === handle && !queue.has(`${handle.id}_${task}`)
  }
  return handles.filter(handle => {
    if (clusterOf(handle) !== name) return false
    for (let task = 0; task < handle.count; task++) if (isMissing(handle, task)) return true
    return false
  })
}

/** Empty where this Slurm keeps no accounting; null where it should have answered and did not. */
async function askAccounting(handles: readonly JobHandle[]): Promise<Map<string, SlurmJob> | null> {
  const asked = handles.map(({ id, jobName, data }) => ({ id, jobName, submitted: Number(data.submitted) }))
  const submitted = Math.min(...asked.map(each => each.submitted))
  const [program, ...words] = sacctWords(
    asked.map(({ id }) => id),
    submitted,
  ) as [string, ...string[]]
  const result = await askSlurm([program, ...clusterWords(handles[0]!), ...words])
  if (result.ending === 'missing' || /accounting storage is disabled/i.test(result.stderr)) return new Map()
  return result.exitCode === 0 ? parseAccounting(result.stdout, asked) : null
}
