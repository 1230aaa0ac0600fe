import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { isWanted, type RunFilter, refuseUnknownMetrics, sorted } from '../../domain/runs/run-filter.js'
import type { Workspace } from '../workspace.js'
import { type Listing, listing } from './best-metrics.js'

/** Which runs of a list are wanted. */
export interface RunSelection {
  readonly filter: RunFilter
  /** See {@link sorted}; null for live ones first. */
  readonly sort: string | null
}

/**
 * Adds the best metrics to runs, filters and sorts them.
 * @param time see {@link listing}
 * @throws UserError for metrics of which nobody says what is best
 */
export async function selectRuns(
  workspace: Workspace,
  runs: readonly Run[],
  { filter, sort }: RunSelection,
  time?: number,
): Promise<Listing> {
  const all = await listing(workspace, runs, time)
  if (runs.length > 0) refuseUnknownMetrics(filter, sort ?? undefined, all.metrics)
  const wanted = all.runs.filter(run => isWanted(run, filter, each => workspace.store.runs.grid(each.id)))
  const live = wanted.filter(run => !isOver(run.counts))
  const ordered = sort === null ? [...live, ...wanted.filter(run => isOver(run.counts))] : sorted(wanted, sort)
  return { ...all, runs: ordered }
}
