import type { Setting } from './data/fingerprint.js'

/** A named path to data: relative to the project if it lies inside, absolute otherwise. */
export interface Dataset {
  readonly name: string
  /** Former names, by which runs and documents of other clones may still call it. */
  readonly was?: readonly string[]
  readonly description: string
  readonly path: string
  readonly tags: readonly string[]
  /** How much of it is looked at when a run is launched. */
  readonly fingerprint: Setting
}

/** A dataset as it is stored. */
export interface StoredDataset extends Dataset {
  readonly id: number
}
