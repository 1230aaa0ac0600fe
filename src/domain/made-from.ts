import type { Fingerprint } from './data/fingerprint.js'

/** A run as a file that was made of it names it. */
export interface RunSource {
  readonly id: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
  readonly commit: string
  readonly dirty: boolean
  /** Hash of the files that count as code of its experiment; null if it is not known. */
  readonly code_used: string | null
  /** The environments of its groups: the hash of what is known of each, and what is not, in words. */
  readonly environments: readonly { readonly hash: string; readonly unknown: readonly string[] }[]
  /** What it read, a digest a dataset; empty if it was not recorded. */
  readonly data: readonly Pick<Fingerprint, 'name' | 'level' | 'digest'>[]
}

/** What a plot or a report says of itself, in the file. */
export interface MadeFrom {
  /** The words after `qanat plot` or `qanat report` that make it again, with the ids of its runs. */
  readonly command: readonly string[]
  /** Of Qanat. */
  readonly version: string
  readonly runs: readonly RunSource[]
}
