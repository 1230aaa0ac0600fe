import type { Deed } from './account.js'

/** A job, or a task of an array, as the scheduler lists it. */
export interface Job {
  readonly id: string
  readonly group: number
  readonly state: 'pending' | 'running' | 'held' | 'finished' | 'other'
}

/** Something that somebody may do by hand. Commands are shell code for root in the box, in which JOB stands for the job's id. */
export interface Act {
  readonly name: string
  /** In which state a job has to be for it; null for what is done to the cluster. */
  readonly to: Job['state'] | null
  readonly means: Deed['means']
  readonly does: string
  /** What ends it, and how many seconds later. */
  readonly undo?: { readonly after: number; readonly does: string }
  /** Until the end of it, whatever runs may be put back. */
  readonly isUpheaval?: true
  /** Until the end of it, the scheduler does not answer. */
  readonly isOutage?: true
}

/** The scheduler is away for longer than the time limit. */
export function outage(does: string, ends: string): Act {
  const undo = { after: 66, does: ends }
  return { name: 'outage', to: null, means: 'nothing', does, undo, isOutage: true, isUpheaval: true }
}

/** How much happens in a weekend. */
export interface Form {
  readonly groups: Readonly<Record<'slurm' | 'htcondor', number>>
  /** How often everything that somebody may do to a job or to a cluster is done. */
  readonly rounds: number
  /** How often each scheduler is away for longer than the time limit. */
  readonly outages: number
  /** Seconds between two of these events of a scheduler. */
  readonly pause: number
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
