import type { Run } from './runs/run.js'

/** A run as a file that was made of it names it. */
export interface RunSource {
  readonly id: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
  readonly commit: string
  readonly dirty: boolean
}

/** What a plot or a report says of itself, in the file. */
export interface MadeFrom {
  /** The words after `qanat plot` or `qanat report` that make it again, with the ids of its runs. */
  readonly command: readonly string[]
  /** Of Qanat. */
  readonly version: string
  readonly runs: readonly RunSource[]
}

/** @param tokenOf the token of a run */
export function runSources(runs: readonly Run[], tokenOf: (id: number) => string): RunSource[] {
  return runs.map(({ id, commit, dirty }) => ({ id, token: tokenOf(id), commit, dirty }))
}
