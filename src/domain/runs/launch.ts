import type { Experiment } from '../experiment.js'
import type { ParameterGrid } from '../parameters/grid.js'

/** What was launched, in full: enough to launch it again. */
export interface Launch<Handle = unknown> {
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
  /** Ignored paths that its frozen code links to, relative to the repository's root; they may change under it. */
  readonly links: readonly string[]
  /** Identity of the program that launched it, as JSON can hold it: it may still be at it. */
  readonly launcher: unknown
  /** Submissions, in the order in which they came. */
  readonly handles: readonly Handle[]
  /** Launches of some of its groups again, in order. */
  readonly retries: readonly Retry[]
}

/** A later launch of some groups of a run. */
export interface Retry {
  /** Which launch it is, from 2. */
  readonly attempt: number
  readonly groups: readonly number[]
  readonly submitTemplate: string | null
  /** The template as it was resolved then. */
  readonly resolved: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly launched: number
}
