import type { ExpectedResults } from './results/metrics.js'

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
}

/** A script of an experiment that works on a finished run. */
export interface Action {
  readonly name: string
  readonly description: string
  readonly executable: string
  readonly executableCommand: string
}

/** An experiment with the counts of its runs, for the list of experiments. */
export interface ExperimentSummary {
  readonly id: number
  readonly experiment: Experiment
  readonly runs: number
  readonly liveRuns: number
}
