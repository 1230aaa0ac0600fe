import { isSettled } from '../domain/runs/aggregate.js'
import type { Run } from '../domain/runs/run.js'
import { needsMetrics, readContexts, readFilter, readSince, sortNames } from '../domain/runs/run-filter.js'
import { withParameters } from '../operations/results/best-metrics.js'
import { type RunListing, selectRuns } from '../operations/results/select-runs.js'
import type { Workspace } from '../operations/workspace.js'
import { csvFlag, Flags, repeatable } from './arguments.js'
import type { Typed } from './results/typed.js'

export const runStatusFlag = repeatable('only runs with these statuses: failed,lost', { completes: 'statuses' })

export const sinceFlag = Flags.string({
  helpValue: '<time>',
  description: 'only since this date (2026-11-20), or in the last 3d, 12h or 30m',
})

/** Milliseconds since the epoch; 0 if none is given. @throws UserError for what is no time */
export function sinceOf({ since }: Typed<'since'>): number {
  return since === undefined ? 0 : readSince(since, Date.now())
}

/** @param more its letter */
export function tagFlag(more: { char?: 't' } = {}) {
  return repeatable('only runs with this tag, and with the others that are given', { ...more, completes: 'tags' })
}

/** The options of every list of runs. */
export const runListFlags = {
  tag: tagFlag({ char: 't' }),
  status: runStatusFlag,
  context: repeatable('only runs of these contexts: hpc,lab; here is this machine', {
    completes: 'contexts',
    helpValue: '<contexts>',
  }),
  commit: Flags.string({ description: 'only runs of commits that begin with this', completes: 'commits' }),
  since: sinceFlag,
  param: repeatable('only runs with this parameter: 0.1, or --lr:0.1', { completes: 'parameter_values' }),
  search: repeatable('only runs with these words in their description, comment, tags or experiment', {
    helpValue: '<words>',
  }),
  where: repeatable("only runs whose best value meets this condition, such as 'acc > 0.9'", {
    completes: 'best_metrics',
  }),
  sort: Flags.string({
    description: `sort by ${sortNames.join(', ')} or a best metric; a - before it reverses the order`,
    completes: 'sortings',
  }),
  limit: Flags.integer({ min: 1, helpValue: '<n>', description: 'at most n runs' }),
  csv: csvFlag,
}

/** Whether a list asks now, instead of once in an interval. */
export const refreshFlag = Flags.boolean({
  description: 'ask schedulers and contexts now, even if they were just asked',
})

type Given = Typed<'commit' | 'since' | 'sort'> & {
  readonly [List in 'tag' | 'status' | 'context' | 'param' | 'search' | 'where']?: string[] | undefined
} & { readonly limit?: number | undefined }

/**
 * Reads the options at once, so that mistakes are reported first.
 * @returns a function that adds the best metrics to runs, filters and sorts them
 */
export function runList(given: Given): (workspace: Workspace, runs: readonly Run[]) => Promise<RunListing> {
  const { sort = null, limit, ...rest } = given
  const filter = readFilter(
    Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    Date.now(),
  )
  // A list that metrics decide would be wrong without some of them.
  const time = needsMetrics(filter, sort) ? Number.POSITIVE_INFINITY : undefined
  return async (workspace, runs) => {
    const part = { first: 0, count: limit ?? runs.length }
    const selected = await selectRuns(workspace, runs, { filter, sort }, part, time)
    return { ...selected, runs: withParameters(workspace, selected.runs), all: runs.length }
  }
}

/** Whether a run may be in the list, as far as its context says: a list does not wait for others. */
export function isShown({ context }: Pick<Given, 'context'>, run: Run): boolean {
  return context === undefined || readContexts(context).includes(run.site)
}

/** Time of the oldest answer about a run that may still change, in milliseconds since the epoch; else `now`. */
export function askedLast(runs: readonly Run[], now: number): number {
  return Math.min(now, ...runs.filter(run => !isSettled(run)).map(run => run.asOf))
}
