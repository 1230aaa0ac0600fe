import type { AskedRun, JobHandle } from '../types.js'

/** Where a group is: in which submission, and at which place in it, from 0. */
export interface Location {
  readonly handle: JobHandle
  readonly task: number
}

/** Index of the group at a place of a submission. */
export function indexAt({ indices, first }: JobHandle, task: number): number {
  return indices?.[first + task] ?? first + task
}

/** The submission of an attempt that a group is of; null for one that was never submitted. */
export function locate(handles: readonly JobHandle[], index: number, attempt: number): Location | null {
  for (const handle of handles) {
    if (handle.attempt !== attempt) continue
    const task = (handle.indices ? placeIn(handle.indices, index) : index) - handle.first
    if (task >= 0 && task < handle.count) return { handle, task }
  }
  return null
}

/** The last submission that a group is of. */
export function locateLast(handles: readonly JobHandle[], index: number): Location | null {
  const attempts = [...new Set(handles.map(({ attempt }) => attempt))].sort((a, b) => b - a)
  return attempts.map(attempt => locate(handles, index, attempt)).find(location => location !== null) ?? null
}

/** Place of a number in an ascending list, -1 where it is not in it. */
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

/** The submissions that some groups were launched in last: also a job that has ended may be requeued by hand. */
export function lastHandles(run: AskedRun): JobHandle[] {
  return run.handles.filter(handle => {
    for (let task = 0; task < handle.count; task++) {
      if (run.attemptOf(indexAt(handle, task)) === handle.attempt) return true
    }
    return false
  })
}

/** The submissions of which a scheduler can still say something new. */
export function unsettledHandles(run: AskedRun): JobHandle[] {
  return run.handles.filter(handle => unsettledTasks(run, handle).next().done === false)
}

/** Places in a submission of the groups that are not settled and were not launched again since. */
export function* unsettledTasks(run: AskedRun, handle: JobHandle): Generator<number> {
  for (let task = 0; task < handle.count; task++) {
    const index = indexAt(handle, task)
    if (!run.settled.has(index) && run.attemptOf(index) === handle.attempt) yield task
  }
}

/** What a scheduler is given to find a submission by: the run's token, and which launch of it this is. */
export function markOf({ token, attempt }: Pick<JobHandle, 'token' | 'attempt'>): string {
  return attempt === 1 ? token : `${token}.${attempt}`
}
