import type { ExpectedResults } from './results/metrics.js'

/**
 * Options of `qanat run` that stand before the name only. After it they are refused, unless the experiment says that it has such
 * options itself. The list is closed: a script that works today must not lose an option to Qanat tomorrow.
 */
export const passable = [
  ...(['-V', '--detach', '--commit', '--allow_dirty', '--snapshot', '--max_failures'] as const),
  ...(['--yes', '--quiet', '--no_emoji', '--json', '--help'] as const),
] as const

/** A named executable of the project. Texts that were not given are empty; paths are relative to the project. */
export interface Experiment {
  readonly name: string
  readonly description: string
  readonly path: string
  readonly executable: string
  /** Words as a POSIX shell splits them, before the executable; may be empty. */
  readonly executableCommand: string
  readonly tags: readonly string[]
  /** Names of the datasets that it reads. */
  readonly datasets: readonly string[]
  readonly actions: readonly Action[]
  readonly results: ExpectedResults
  /** Its own options among {@link passable}: after its name they are passed to it. */
  readonly passes: readonly string[]
  /** Patterns of the files that may matter to it besides those in its `path`; none for the whole repository. */
  readonly uses: readonly string[]
  /** Patterns of files that do not matter to it; null for the usual ones. */
  readonly ignores: readonly string[] | null
  readonly manifest: Manifest
}

/** What is kept of the files that its groups leave: their sizes and times, or also a hash of each. */
export const manifests = ['size', 'hash'] as const
export type Manifest = (typeof manifests)[number]

/** That of an experiment which says nothing about it. */
export const usualManifest: Manifest = 'size'

/**
 * How an action takes several runs at once: `--storage_path` repeated, or `--manifest` of a file that lists them. An action
 * that says neither takes one.
 */
export const severalRuns = ['several', 'manifest'] as const

/** A script of an experiment that works on finished runs. */
export interface Action {
  readonly name: string
  readonly description: string
  readonly executable: string
  readonly executableCommand: string
  readonly runs?: (typeof severalRuns)[number]
  /** Patterns of the files that it uses, at least one; without it, any file of the repository may matter. */
  readonly uses?: readonly string[]
}

/** An experiment with the counts of its runs, for the list of experiments. */
export interface ExperimentSummary {
  readonly id: number
  readonly experiment: Experiment
  readonly runs: number
  readonly liveRuns: number
}
