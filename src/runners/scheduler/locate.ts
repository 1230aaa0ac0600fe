import { jobsOf, positionsOf, spanOf } from '../../domain/runs/launch.js'
import type { JobHandle, PlannedSubmission, PolledRun, SubmissionIntent } from '../types.js'

/** The job of a group in a submission. */
export interface Location {
  readonly handle: JobHandle
  /** Number of the job in the span of the submission, from 0: an array task, or what tells the process of a cluster. */
  readonly task: number
  /** Index of the group. */
  readonly index: number
}

/** How many groups each job of a submission has; null if each group is a job of its own. */
export function packSize(handle: JobHandle): number | null {
  return spanOf(handle).pack
}

/** The numbers of the jobs of a submission. */
function tasksIn(handle: JobHandle): readonly number[] {
  return jobsOf(spanOf(handle))
}

/** Indices of the groups of a job. */
export function* indicesOf(handle: JobHandle, task: number): Generator<number> {
  for (const position of positionsOf(spanOf(handle), task)) yield handle.indices?.[position] ?? position
}

/** Index of the first group of a job. */
export function indexAt(handle: JobHandle, task: number): number {
  return indicesOf(handle, task).next().value as number
}

/**
 * What a handle has of a submission: its place among those of the attempt, and data.
 * @param number of the submission in its attempt, from 0
 */
export function packedPart(
  { indices, groupCount }: SubmissionIntent,
  { first, count, pack, jobs }: PlannedSubmission,
  number: number,
) {
  if (pack === undefined) return { first, count, data: {} }
  if (jobs === undefined) return { first, count, data: { pack } }
  const later = { from: first, jobs: jobs.join(','), generation: number }
  return { first: (indices?.length ?? groupCount) + number, count, data: { pack, ...later } }
}

/** The jobs of a group in a submission: one, or none. @param group index of the group; null for all jobs */
export function tasksFor(handle: JobHandle, group: number | null): readonly number[] {
  if (group === null) return tasksIn(handle)
  const location = locate([handle], group, handle.attempt)
  return location ? [location.task] : []
}

/**
 * The last job of a group in an attempt; null if it was never submitted.
 * @param jobId a job that has begun the group, if there is one: then it is that
 */
export function locate(
  handles: readonly JobHandle[],
  index: number,
  attempt: number,
  jobId: string | null = null,
): Location | null {
  for (let at = handles.length - 1; at >= 0; at--) {
    const handle = handles[at]!
    if (handle.attempt !== attempt || (jobId !== null && jobId.split(/[._]/)[0] !== handle.id)) continue
    const { first, count, pack, jobs } = spanOf(handle)
    const place = (handle.indices ? placeIn(handle.indices, index) : index) - first
    if (place < 0 || place >= count) continue
    const task = Math.floor(place / (pack ?? 1))
    if (jobs === null || jobs.includes(task)) return { handle, task, index }
  }
  return null
}

/** The last submission of a group. @param jobIn the job that has begun it in an attempt, if several may have; else null */
export function locateLast(
  handles: readonly JobHandle[],
  index: number,
  jobIn: (attempt: number) => string | null,
): Location | null {
  const attempts = [...new Set(handles.map(({ attempt }) => attempt))].sort((a, b) => b - a)
  return (
    attempts.map(attempt => locate(handles, index, attempt, jobIn(attempt))).find(location => location !== null) ?? null
  )
}

/** Position of a number in an ascending list; -1 if it is missing. */
function placeIn(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const number = numbers[middle]!
    if (number === wanted) return middle
    if (number < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Submissions that are the last one of some group. Settled groups count, too, since ended jobs may be requeued by hand. */
export function lastHandles(run: PolledRun): JobHandle[] {
  return run.handles.filter(handle => {
    for (const task of tasksIn(handle)) {
      for (const index of indicesOf(handle, task)) if (run.attemptOf(index) === handle.attempt) return true
    }
    return false
  })
}

/** The submissions with a group that is not settled. */
export function unsettledHandles(run: PolledRun): JobHandle[] {
  return run.handles.filter(handle => unsettledTasks(run, handle).next().done === false)
}

/** The jobs of a submission with a group that is not settled and was not launched again since. */
export function* unsettledTasks(run: PolledRun, handle: JobHandle): Generator<number> {
  for (const task of tasksIn(handle)) {
    for (const index of indicesOf(handle, task)) {
      if (run.settled.has(index) || run.attemptOf(index) !== handle.attempt) continue
      yield task
      break
    }
  }
}

/** The mark by which a submission is found again: the run's token, and the number of the attempt. */
export function markOf({ token, attempt }: Pick<JobHandle, 'token' | 'attempt'>): string {
  return attempt === 1 ? token : `${token}.${attempt}`
}
