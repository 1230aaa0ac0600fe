import type { Experiment } from '../experiment.js'
import type { ParameterGrid } from '../parameters/grid.js'

/** What was launched, in full: enough to launch it again. */
export interface Launch {
  readonly token: string
  readonly grid: ParameterGrid
  /** The experiment as it was then. */
  readonly experiment: Experiment
  /** Paths that were handed to the script, absolute, in order. */
  readonly datasetPaths: readonly string[]
  /** Content of a dirty tree, as a git object; null for a clean one. */
  readonly tree: string | null
  /** Files whose changes did not count, as paths are stored. */
  readonly uncountedFiles: readonly string[]
  /** The first launch and the retries that were submitted, in order. */
  readonly attempts: readonly Attempt[]
}

/** One launch of groups of a run. Attempts count from 1 and a number is never used again. */
export interface Attempt extends NewAttempt {
  readonly attempt: number
  /** Whether nothing more will be submitted for it. */
  readonly complete: boolean
  /** When its end was asked for and the runner agreed, in milliseconds since the epoch; null where nobody asked. */
  readonly cancelled: number | null
  /** In the order of their groups. */
  readonly submissions: readonly Submission[]
}

/** What is known of an attempt before anything of it is submitted. */
export interface NewAttempt {
  /** Indices in ascending order; null for all groups of the run. */
  readonly groups: readonly number[] | null
  readonly submitTemplate: string | null
  /** The template as it was resolved then. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly launched: number
  /** Identity of the program that launches it, as JSON can hold it: it may still be at work. */
  readonly launcher: unknown
}

/** Something that was submitted: a supervisor, a job array, a cluster of jobs. */
export interface Submission {
  /** Place of its first group among those of the attempt, from 0. */
  readonly first: number
  readonly count: number
  /** What the user knows it by: a process or job id. */
  readonly id: string
  /** The runner's own. */
  readonly data: Readonly<Record<string, string | number>>
}
