import type { ExperimentSummary } from '../../domain/experiment.js'
import type { Run } from '../../domain/runs/run.js'
import type { StatusCounts } from '../../store/pages.js'
import type { Workspace } from '../workspace.js'

/** An experiment with what became of its runs. */
export interface ExperimentOverview extends ExperimentSummary {
  readonly counts: StatusCounts
  /** Its newest run; null if it has none. */
  readonly last: Run | null
}

/** All experiments, without reading all of their runs. */
export function overview({ store }: Workspace): ExperimentOverview[] {
  const counts = store.pages.statusCounts()
  const newest = new Map(store.pages.newest().map(run => [run.experiment, run]))
  return store.experiments.list().map(summary => {
    const { name } = summary.experiment
    return { ...summary, counts: counts.get(name) ?? {}, last: newest.get(name) ?? null }
  })
}
