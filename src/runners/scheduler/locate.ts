import type { JobHandle, PolledRun } from '../types.js'

/** The submission of a group, and its position in it, from 0. */
export interface Location {
  readonly handle: JobHandle
  readonly task: number
}

/** Index of the group at a position in a submission. */
export function indexAt({ indices, first }: JobHandle, task: number): number {
  return indices?.[first + task] ?? first + task
}

/** The submission of a group in an attempt; null if it was never submitted. */
export function locate(handles: readonly JobHandle[], index: number, attempt: number): Location | null {
  for (const handle of handles) {
    if (handle.attempt !== attempt) continue
    const task = (handle.indices ? placeIn(handle.indices, index) : index) - handle.first
    if (task >= 0 && task < handle.count) return { handle, task }
  }
  return null
}

/** The last submission of a group. */
export function locateLast(handles: readonly JobHandle[], index: number): Location | null {
  const attempts = [...new Set(handles.map(({ attempt }) => attempt))].sort((a, b) => b - a)
  return attempts.map(attempt => locate(handles, index, attempt)).find(location => location !== null) ?? null
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
    for (let task = 0; task < handle.count; task++) {
      if (run.attemptOf(indexAt(handle, task)) === handle.attempt) return true
    }
    return false
  })
}

/** The submissions with a group that is not settled. */
export function unsettledHandles(run: PolledRun): JobHandle[] {
  return run.handles.filter(handle => unsettledTasks(run, handle).next().done === false)
}

/** Positions in a submission of groups that are not settled and were not launched again since. */
export function* unsettledTasks(run: PolledRun, handle: JobHandle): Generator<number> {
  for (let task = 0; task < handle.count; task++) {
    const index = indexAt(handle, task)
    if (!run.settled.has(index) && run.attemptOf(index) === handle.attempt) yield task
  }
}

/** The mark by which a submission is found again: the run's token, and the number of the attempt. */
export function markOf({ token, attempt }: Pick<JobHandle, 'token' | 'attempt'>): string {
  return attempt === 1 ? token : `${token}.${attempt}`
}
