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
  /** Former names, by which runs and documents of other clones may still call it. */
  readonly was?: readonly string[]
  readonly description: string
  readonly path: string
  readonly executable: string
  /** Words as a POSIX shell splits them, before the executable; may be empty. */
  readonly executableCommand: string
  readonly tags: readonly string[]
  /** Names of the datasets that it reads. */
  readonly datasets: readonly string[]
  /** The option before the path of each dataset, where it is not the usual one: see {@link pathOptionsOf}. */
  readonly datasetOption?: string | null
  /** The same before the folder of a group. */
  readonly storageOption?: string | null
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

/**
 * The options by which a script is told its folder and the paths of its datasets. The path follows as a word, or is joined to an
 * option that ends with `=`; null if the script is told nothing.
 */
export interface PathOptions {
  readonly storageOption: string | null
  readonly datasetOption: string | null
}

/** Those of an experiment or an action, which may name others than the usual ones. */
export function pathOptionsOf({
  storageOption = '--storage_path',
  datasetOption = '--dataset_path',
}: { readonly [Name in keyof PathOptions]?: PathOptions[Name] | undefined }): PathOptions {
  return { storageOption, datasetOption }
}

/** What is kept of the files that its groups leave: their sizes and times, or also a hash of each. */
export const manifests = ['size', 'hash'] as const
export type Manifest = (typeof manifests)[number]

/** That of an experiment which says nothing about it. */
export const usualManifest: Manifest = 'size'

/**
 * How an action takes several runs at once: its storage option repeated, or `--manifest` of a file that lists them. An action
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
  /** The option before the folder of a run or a group, where it is not the usual one: see {@link pathOptionsOf}. */
  readonly storageOption?: string | null
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
