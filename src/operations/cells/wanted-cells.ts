import type { RecordedCode } from '../../code/compare.js'
import type { Container } from '../../domain/container.js'
import type { Experiment } from '../../domain/experiment.js'
import type { ParameterGrid } from '../../domain/parameters/grid.js'
import type { Run } from '../../domain/runs/run.js'
import type { Sameness } from './same-code.js'

/** The cells that somebody wants. */
export interface WantedCells {
  readonly experiment: Experiment
  readonly grid: ParameterGrid
  readonly container: Container | null
  /** With which their groups have to have run; null for any. */
  readonly code: RecordedCode | null
  readonly same: Sameness
  /** Whether a run counts; missing if all do. */
  readonly counts?: (run: Run) => boolean
  /** Files that do not count as code, such as the one with these parameters; absolute paths. */
  readonly uncountedFiles: readonly string[]
}
