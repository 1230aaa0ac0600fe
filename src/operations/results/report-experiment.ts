import { join } from 'node:path'
import type { Experiment } from '../../domain/experiment.js'
import { type CollectedColumn, resultColumns } from '../../domain/results/collected.js'
import { compareGroups, type GroupResult, looksLikeSeed } from '../../domain/results/compare.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { orElse } from '../../errors.js'
import { lastErrors } from '../../runfolder/tails.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import { findExperiment } from '../registry/find-experiment.js'
import { programOfRun } from '../registry/launched-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { groupResults, type Results, runsWithMetrics } from './chosen-runs.js'
import { type CompareRequest, compareRuns, type ExperimentComparison } from './compare/compare-experiment.js'
import { type Failures, failuresOf } from './failure-kinds.js'
import type { LookedAt } from './looked-at.js'
import { type ExperimentPlot, plotRuns } from './plot/plot-experiment.js'
import { apartIn } from './run-origins.js'

/** All that a report says. */
export interface ExperimentReport {
  readonly experiment: Experiment
  readonly runs: readonly Run[]
  /** What the runs ran and read, by their ids: a command with its executable, and datasets with their places. */
  readonly launched: ReadonlyMap<number, { readonly program: string; readonly datasets: readonly string[] }>
  readonly groups: readonly GroupResult[]
  /** Parameters, then metrics. */
  readonly columns: readonly CollectedColumn[]
  readonly comparison: ExperimentComparison
  readonly plots: readonly ReportedPlot[]
  readonly failures: Failures
  /** The last lines of stderr of the first group of each kind of failure, in their order. */
  readonly examples: readonly (readonly string[])[]
  /** Of each host, how many of the groups that count ran there. */
  readonly hosts: ReadonlyMap<string, number>
}

interface ReportedPlot {
  readonly plotted: ExperimentPlot
  /** As it is named on the command line. */
  readonly metric: string
}

const drawnMetrics = 4
/** How many kinds of failures have an example, and how many lines of it are shown. */
const shown = { examples: 30, lines: 12 }

/** Gathers the report on runs. @param words ids and ranges of runs; none for all */
export async function reportExperiment(
  workspace: Workspace,
  looked: LookedAt,
  request: Pick<CompareRequest, 'experiment' | 'by' | 'over' | 'metrics'>,
): Promise<ExperimentReport> {
  const { store } = workspace
  const experiment = findExperiment(workspace, request.experiment)
  const { name } = experiment
  const chosen = await runsWithMetrics(workspace, name, looked)
  const apart = apartIn(request)
  const results = await groupResults(workspace, chosen, apart, null, looked)
  // Only the table has rows for the code, the data or the environments that --by names.
  const drawn = apart.length > 0 ? await groupResults(workspace, chosen, [], null, looked) : results
  const { runs, groups } = results
  const seeds = compareGroups(groups, { by: null, over: [] }).by.filter(looksLikeSeed)
  const over = request.over ?? (seeds.length > 0 ? seeds : null)
  const more = { sort: null, top: null, repeats: false, parameterFile: null }
  const comparison = compareRuns(workspace, { ...request, ...more, over }, results)
  const failures = failuresOf(workspace, name, results)
  return {
    ...{ experiment, runs, groups, comparison, failures },
    launched: store.reading(() => {
      const now = new DatasetsNow(workspace)
      const datasetsOf = ({ id }: Run) => now.placesOf(store.runs.definition(id))
      return new Map(runs.map(run => [run.id, { program: programOfRun(workspace, run), datasets: datasetsOf(run) }]))
    }),
    columns: resultColumns(groups),
    plots: comparison.metrics
      .slice(0, drawnMetrics)
      .flatMap(metric => plotsOf(workspace, metric.name, comparison, drawn)),
    examples: failures.kinds.slice(0, shown.examples).map(({ groups: [first] }) => {
      const run = store.runs.get(first!.run)
      const folder = groupFolder(absolutePath(workspace, run.storagePath), totalOf(run.counts), first!.index)
      return lastErrors(join(folder, 'stderr.txt'), shown.lines)
    }),
    hosts: hostsOf(workspace, results),
  }
}

/** The plot that fits the metric, and if that shows steps, also its last value over the parameters. */
function plotsOf(
  workspace: Workspace,
  metric: string,
  { experiment }: ExperimentComparison,
  results: Results,
): ReportedPlot[] {
  const draw = (y: string): ReportedPlot[] => {
    const nothing = { kind: null, x: null, by: null, over: null, facet: null, log: null }
    // There need not be anything that can be drawn.
    const plotted = orElse(() => plotRuns(workspace, { ...nothing, experiment, y }, results), null)
    return plotted === null ? [] : [{ plotted, metric: y }]
  }
  const first = draw(metric)
  return first[0]?.plotted.plot.kind === 'series' ? [...first, ...draw(`${metric}:last`)] : first
}

function hostsOf({ store }: Workspace, { runs, left }: Results): Map<string, number> {
  const hosts = new Map<string, number>()
  for (const { id, groups } of store.readingAll(read())) {
    for (const { index, status } of groups) {
      const host = 'host' in status ? status.host : null
      if (host !== null && !left.get(id)?.has(index)) hosts.set(host, (hosts.get(host) ?? 0) + 1)
    }
  }
  return hosts

  function* read() {
    for (const { id } of runs) yield { id, groups: store.runs.groups(id) }
  }
}
