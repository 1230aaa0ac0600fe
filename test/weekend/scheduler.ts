import type { Deed } from './account.js'

/** A job, or a task of an array, as the scheduler lists it. */
export interface Job {
  readonly id: string
  readonly group: number
  readonly state: 'pending' | 'running' | 'held' | 'finished' | 'other'
}

/** Something that somebody may do by hand. Commands are shell code for root in the box. */
export interface Act {
  readonly name: string
  /** In which state a job has to be for it; null for what is done to the cluster. */
  readonly to: Job['state'] | null
  readonly means: Deed['means']
  /** @param id of the job; empty where it is done to the cluster */
  does(id: string): string
  /** What ends it, and how many seconds later. */
  readonly undo?: { readonly after: number; does(id: string): string }
  /** Until the end of it, whatever runs may be put back. */
  readonly isUpheaval?: true
  /** Until the end of it, the scheduler does not answer. */
  readonly isOutage?: true
}

/** What the weekend knows of a scheduler. */
export interface Scheduler {
  readonly name: 'slurm' | 'htcondor'
  readonly acts: readonly Act[]
  readonly outage: Act
  /** Shell code that lists the jobs of all users. */
  readonly list: string
  /** Reads that list. */
  jobs(text: string): Job[]
  /** Shell code for what must not wait as long as a real cluster would have it wait, nor for ever. @param mine held by the weekend */
  tend(jobs: string, mine: ReadonlySet<string>): string
}

/** Longer than the time limit, in seconds. */
export const outageSeconds = 66
