import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import {
  fits,
  meetsConditions,
  needsMetrics,
  type RunFilter,
  refuseUnknownMetrics,
  sorted,
} from '../../domain/runs/run-filter.js'
import { textOfRun } from '../runs/comment-run.js'
import type { Workspace } from '../workspace.js'
import { type Listing, listing, metricsCalledBest } from './best-metrics.js'

/** Which runs of a list are wanted. */
export interface RunSelection {
  readonly filter: RunFilter
  /** See {@link sorted}; null for live ones first. */
  readonly sort: string | null
}

/** Which part of a list is wanted. */
export interface Part {
  /** How many rows to leave out. */
  readonly first: number
  readonly count: number
}

/** A part of a list of runs with their best metrics. */
export interface Selection extends Listing {
  /** How many runs fit the filter. */
  readonly total: number
}

/** The same with how many runs there are, whether they fit or not. */
export interface RunListing extends Selection {
  readonly all: number
}

/**
 * Filters and sorts runs, and adds the best metrics to a part of them. The metrics of other runs are read only if
 * metrics decide which runs are in the list, or in which order, and never for runs that another part of the filter
 * leaves out.
 * @param time for this, see {@link listing}
 * @throws UserError for metrics of which nobody says what is best
 */
export async function selectRuns(
  workspace: Workspace,
  runs: readonly Run[],
  { filter, sort }: RunSelection,
  { first, count }: Part,
  time?: number,
): Promise<Selection> {
  const metrics = metricsCalledBest(workspace, runs)
  if (runs.length > 0) refuseUnknownMetrics(filter, sort ?? undefined, metrics)
  const gridOf = ({ id }: Run) => workspace.store.runs.grid(id)
  const textOf = (run: Run) => textOfRun(workspace, run)
  const fitting = runs.filter(run => fits(run, filter, gridOf, textOf))
  if (!needsMetrics(filter, sort)) {
    const part = inOrder(fitting, sort).slice(first, first + count)
    return { ...(await listing(workspace, part)), metrics, total: fitting.length }
  }
  const all = await listing(workspace, fitting, time)
  const wanted = all.runs.filter(run => meetsConditions(run, filter))
  const part = inOrder(wanted, sort).slice(first, first + count)
  return { runs: part, metrics, late: all.late, total: wanted.length }
}

function inOrder<Each extends Run>(runs: readonly Each[], sort: string | null): Each[] {
  if (sort !== null) return sorted(runs, sort)
  return [...runs.filter(run => !isOver(run.counts)), ...runs.filter(run => isOver(run.counts))]
}
