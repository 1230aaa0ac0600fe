import { attemptLabel, runLabel } from '../../domain/pods/manifest.js'
import type { Job, Pod } from '../../domain/pods/objects.js'
import { jobEnd, jobWait, podEnd, podWait } from '../../domain/pods/reasons.js'
import { type GroupRecord, hasEndedByItself } from '../../domain/runs/group-record.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'

/** The jobs and pods of one launch. */
export interface Launched {
  readonly jobs: readonly Job[]
  readonly pods: readonly Pod[]
}

/** What `kubectl get` has told, by launches; null if it has not answered. */
export type Queue = (token: string, attempt: number) => Launched

/** Reads a list of objects. @param text JSON of `kubectl get`, null without an answer */
export function readQueue(text: string | null): Queue | null {
  if (text === null) return null
  const { items = [] } = JSON.parse(text) as { items?: readonly (Job | Pod)[] }
  const launches = new Map<string, { jobs: Job[]; pods: Pod[] }>()
  for (const item of items) {
    const { labels = {} } = item.metadata
    const key = `${labels[runLabel]} ${labels[attemptLabel]}`
    const launch = launches.get(key) ?? { jobs: [], pods: [] }
    launches.set(key, launch)
    if (item.kind === 'Job') launch.jobs.push(item)
    else launch.pods.push(item)
  }
  return (token, attempt) => launches.get(`${token} ${attempt}`) ?? { jobs: [], pods: [] }
}

/** The job and the pods of a launch that have a share of the groups. @param job its name */
export function shareOf({ jobs, pods }: Launched, job: string | undefined): Launched {
  return {
    jobs: jobs.filter(({ metadata }) => metadata.name === job),
    pods: pods.filter(({ metadata }) => metadata.labels?.['job-name'] === job),
  }
}

/** Whether a pod may still run groups. */
export function isAlive(pod: Pod): boolean {
  return podEnd(pod) === null
}

/**
 * What the jobs of a launch mean for one of its groups.
 * @param record the last record of the group
 * @param isCancelled whether the launch was cancelled
 * @param ifOver what it means that nothing is left of them, if they share no claims: then they are those of the group alone
 */
export function stateOfGroup(
  launched: Launched,
  record: GroupRecord | null,
  isCancelled: boolean,
  ifOver: SchedulerState | null = null,
): SchedulerState {
  if (record !== null && hasEndedByItself(record)) return endOf(record)
  if (record !== null) return stateBegun(launched, record, isCancelled)
  if (launched.pods.some(isAlive) || launched.jobs.some(job => jobEnd(job) === null)) return stateWaiting(launched)
  if (isCancelled) return cancelled
  if (ifOver !== null) return ifOver
  // A worker that has come to the end of the plan has seen that all groups were taken.
  return launched.jobs.some(job => jobEnd(job) === 'complete') ? { kind: 'gone' } : { kind: 'unattended' }
}

const cancelled = {
  ...({ kind: 'ended', outcome: 'cancelled', exitCode: null, signal: null } as const),
  ...{ started: null, finished: null, host: null, jobId: null },
} satisfies SchedulerState

function endOf({ started, host, jobId }: GroupRecord): SchedulerState {
  const unknown = { exitCode: null, signal: null, finished: null }
  return { kind: 'ended', outcome: 'finished', ...unknown, started, host, jobId }
}

/** A group that a pod has begun: it shares the fate of the pod, which begins nothing again. */
function stateBegun({ pods }: Launched, record: GroupRecord, isCancelled: boolean): SchedulerState {
  const { started, host, jobId } = record
  const pod = pods.find(({ metadata }) => metadata.name === jobId)
  const end = pod ? podEnd(pod) : null
  if (pod && end === null) return { kind: 'running', restarts: 0, started, host, jobId }
  if (isCancelled) return { ...cancelled, started, host, jobId }
  if (end === null) return { kind: 'gone' }
  const { outcome, exitCode, signal, finished } = end
  // It has come to its end by itself, and so has recorded the ends of all its groups, unless somebody removed them.
  if (outcome === 'finished' || outcome === 'exit') return { kind: 'gone' }
  return { kind: 'ended', outcome, exitCode, signal, started, finished, host, jobId }
}

/** A group that no pod has begun, while pods or jobs are there. It is held if none will begin without a person. */
function stateWaiting(launched: Launched): SchedulerState {
  const reason = stuckReason(launched)
  return reason === null ? { kind: 'pending', restarts: 0 } : { kind: 'held', restarts: 0, reason }
}

/** Why no pod of a launch will begin without a person; null if one runs, or may begin. */
function stuckReason({ jobs, pods }: Launched): string | null {
  const alive = pods.filter(isAlive)
  const waits = alive.map(podWait)
  if (waits.some(wait => wait === null || !wait.isStuck)) return null
  const [stuck] = waits
  if (stuck) return stuck.text
  const live = jobs.filter(job => jobEnd(job) === null)
  const wanted = live.reduce((sum, { spec }) => sum + (spec?.parallelism ?? 1), 0)
  // One pod that could not start may be chance.
  const failed = pods.map(podEnd).filter(end => end?.outcome === 'launch')
  if (failed.length > wanted) return failed.at(-1)!.text
  return null
}

/** What keeps a launch from running, in words; null if a pod runs. */
export function waitText({ jobs, pods }: Launched, events: Parameters<typeof jobWait>[1]): string | null {
  const alive = pods.filter(isAlive)
  const waits = alive.map(podWait)
  if (waits.includes(null)) return null
  const [wait] = waits.toSorted((one, other) => Number(other!.isStuck) - Number(one!.isStuck))
  if (wait) return wait.text
  const stuck = stuckReason({ jobs, pods })
  if (stuck !== null) return stuck
  const job = jobs.find(each => jobEnd(each) === null) ?? jobs.find(each => jobEnd(each) === 'failed')
  return job ? jobWait(job, events).text : null
}
