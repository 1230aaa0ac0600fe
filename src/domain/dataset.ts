import type { Setting } from './data/fingerprint.js'

/** What an experiment makes for others: files of its groups. */
export interface Stage {
  readonly experiment: string
  /** A metric: the group with its best value is meant; null for the only group that there is. */
  readonly best: string | null
  /** A run, as in `8`, or a group, as in `8.15`; null for all runs. */
  readonly run: string | null
  /** Each of these parameters must be that of the group, as in `--model:svm`. */
  readonly param: readonly string[]
  /** Paths in the folder of a group; none for the folder itself. */
  readonly file: readonly string[]
  /** Whether all groups that speak for a cell are meant, instead of one. */
  readonly each: boolean
}

/** Named data: a path, or what an experiment makes. */
export interface Dataset {
  readonly name: string
  /** Former names, by which runs and documents of other clones may still call it. */
  readonly was?: readonly string[]
  readonly description: string
  /** Relative to the project if it lies inside, absolute otherwise; null if an experiment makes it. */
  readonly path: string | null
  /** Missing if it is a path. */
  readonly from?: Stage
  readonly tags: readonly string[]
  /** How much of it is looked at when a run is launched. */
  readonly fingerprint: Setting
}

/** A dataset as it is stored. */
export interface StoredDataset extends Dataset {
  readonly id: number
}
