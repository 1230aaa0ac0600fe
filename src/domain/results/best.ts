import type { GridParameter } from '../parameters/group-parameters.js'
import type { Run } from '../runs/run.js'
import { type Direction, type Metrics, numberOf } from './metrics.js'

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
  /** The best values that its groups that run have left so far; missing if there are none, and where nobody has looked. */
  readonly soFar?: readonly BestMetric[]
  /**
   * Its parameters: those that differ between its groups, then those that differ between the runs of the list, then the others;
   * missing if nobody has looked at them, or that would take too long.
   */
  readonly parameters?: readonly GridParameter[]
}

/** The best values among the metrics of groups. @param best the better end of each metric */
export function bestAmong(
  groups: ReadonlyMap<number, Metrics>,
  best: Readonly<Record<string, Direction>>,
): BestMetric[] {
  return Object.entries(best).flatMap(([metric, direction]) => {
    let found: BestMetric | null = null
    for (const [group, metrics] of groups) {
      const value = Object.hasOwn(metrics, metric) ? numberOf(metrics[metric]) : null
      if (value === null || Number.isNaN(value)) continue
      if (found === null || (direction === 'max' ? value > found.value : value < found.value))
        found = { metric, value, group }
    }
    return found ?? []
  })
}
