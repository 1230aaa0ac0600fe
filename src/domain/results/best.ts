import type { GridParameter } from '../parameters/group-parameters.js'
import type { Run } from '../runs/run.js'

/** The best value of a metric among the finished groups of a run. */
export interface BestMetric {
  readonly metric: string
  /** Never NaN. */
  readonly value: number
  /** The first group that has it. */
  readonly group: number
}

/** A run with the best values of the metrics for which its experiment says what is best. */
export interface ListedRun extends Run {
  /** As they are declared, without metrics that no group has; null if not all metrics of the run have been read yet. */
  readonly best: readonly BestMetric[] | null
  /**
   * Its parameters: those that differ between its groups, then those that differ between the runs of the list, then the others;
   * missing if nobody has looked at them, or that would take too long.
   */
  readonly parameters?: readonly GridParameter[]
}
