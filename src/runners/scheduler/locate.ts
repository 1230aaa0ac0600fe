import type { JobHandle } from '../types.js'

/** Where a group is: in which submission, and at which place in it, from 0. */
export interface Location {
  readonly handle: JobHandle
  readonly task: number
}

/** Index of the group at a place of a submission. */
export function indexAt({ indices, first }: JobHandle, task: number): number {
  return indices?.[first + task] ?? first + task
}

/** Finds the last submission that a group is of; null for one that was never submitted. */
export function locator(handles: readonly JobHandle[]): (index: number) => Location | null {
  const locations: Location[] = []
  for (const handle of handles) {
    for (let task = 0; task < handle.count; task++) locations[indexAt(handle, task)] = { handle, task }
  }
  return index => locations[index] ?? null
}

/** What a scheduler is given to find a submission by: the run's token, and which launch of it this is. */
export function markOf({ token, attempt }: Pick<JobHandle, 'token' | 'attempt'>): string {
  return attempt === 1 ? token : `${token}.${attempt}`
}
