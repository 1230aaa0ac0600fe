import { numberIn } from '../../../domain/results/cell-value.js'
import {
  type GroupResult,
  looksLikeSeed,
  numericParameters,
  parameterColumns,
} from '../../../domain/results/compare.js'
import { originNames } from '../../../domain/results/comparison/columns.js'
import { findParameter, metricNamed, parameterNames } from '../../../domain/results/named.js'
import { checkPlot } from '../../../domain/results/plot/check-plot.js'
import { makePlot } from '../../../domain/results/plot/make-plot.js'
import type { Plot } from '../../../domain/results/plot/plot.js'
import type { Run } from '../../../domain/runs/run.js'
import { orElse, UserError } from '../../../errors.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { groupResults, type Results, runsWithMetrics, withLive } from '../chosen-runs.js'
import { type ComparedCell, chosenMetrics, compareRuns } from '../compare/compare-experiment.js'
import { readSeries } from './plot-series.js'
import { noSteps, nothingDrawn, nothingFinished } from './refusals.js'
import { isLiveIn, isSeries, mayBeDrawn, type PlotRequest, shapeOf, varyingIn, wishOf } from './wish.js'

export { plotKinds } from '../../../domain/results/plot/plot.js'
export type { PlotRequest } from './wish.js'

/** What can be chosen for a plot, as far as it is known, and what is chosen. */
export interface PlotChoices {
  readonly varying: readonly string[]
  readonly over: readonly string[]
  /** The name of the metric; and for each metric with numbers, whether it is a series. */
  readonly metric: string | null
  readonly metrics: ReadonlyMap<string, boolean>
}

/** A plot, and what it does not show. */
export interface ExperimentPlot extends PlotChoices {
  readonly experiment: string
  /** Those whose groups are in it. */
  readonly runs: readonly Run[]
  /** Also those whose groups may be in it when it is made again, since they have not finished. */
  readonly counted: readonly Run[]
  /** Why groups of other runs do not count. */
  readonly notes: readonly string[]
  readonly plot: Plot
  readonly groups: number
  /** How many of these still run, so that there will be more of them. */
  readonly live: number
  readonly metric: string
  /** Parameters that are averaged over since a legend of all that vary would be too long. */
  readonly crowded: readonly string[]
  /** Cells without a finished group. */
  readonly empty: number
  /** How many groups of the other cells have not finished, and are missing in their means. */
  readonly missing: number
  /** How many have finished without a value of the metric, or without a series if a series is drawn. */
  readonly valueless: number
  /** Values of cells, or of steps of a series, that are NaN, infinite, or not there. */
  readonly notFinite: number
  /** Groups whose series has no place on the axis, since something else counts it. */
  readonly elsewhere: readonly GroupResult[]
  /** Groups whose series could not be read. */
  readonly unread: readonly GroupResult[]
  /** n if only every n-th step of a series is drawn; 1 if all are. */
  readonly every: number
  /** How many values of a series are not drawn since they have no step. */
  readonly stepless: number
  /** How many steps of means are not drawn since not all groups have them. */
  readonly partial: number
  /** How many steps have a mean of fewer groups than others of the same line, and the smallest number of these. */
  readonly fewer: { readonly steps: number; readonly least: number }
}

/** Makes a plot of the groups of an experiment. @throws UserError for unknown names, and if there is nothing to draw */
export async function plotExperiment(workspace: Workspace, request: PlotRequest): Promise<ExperimentPlot> {
  const attempt = await attemptPlot(workspace, request)
  if ('problem' in attempt) throw attempt.problem
  return attempt
}

/**
 * The same for those who choose something else if there is nothing to draw.
 * @throws UserError if there is no such experiment
 */
export async function attemptPlot(
  workspace: Workspace,
  request: PlotRequest,
): Promise<ExperimentPlot | (PlotChoices & { readonly problem: UserError })> {
  const { name } = findExperiment(workspace, request.experiment)
  let choices: PlotChoices = { varying: [], over: [], metric: request.y, metrics: new Map() }
  try {
    const looked = { words: request.runs, filter: request.filter ?? null }
    const runs = await runsWithMetrics(workspace, name, looked)
    const { by, over, x, facet } = request
    const apart = originNames.filter(name => [...(by ?? []), ...(over ?? []), x, facet].includes(name))
    const finished = await groupResults(workspace, runs, apart, null, looked)
    const results = request.isLive ? withLive(workspace, finished) : finished
    choices = choicesOf(results, request)
    return plotRuns(workspace, request, results)
  } catch (error) {
    if (error instanceof UserError) return { ...choices, problem: error }
    throw error
  }
}

function choicesOf({ groups, there }: Results, { by, over, y }: PlotRequest): PlotChoices {
  const varying = varyingIn(groups.filter(mayBeDrawn))
  const named = (words: readonly string[]) => words.map(word => findParameter(word, varying))
  const isOver = by
    ? (name: string) => !named(by).includes(name)
    : (name: string) => (over && over.length > 0 ? named(over).includes(name) : looksLikeSeed(name))
  return { varying, over: varying.filter(isOver), metric: y, metrics: numbersOf(groups, there) }
}

function numbersOf(groups: Results['groups'], there: Results['there']): Map<string, boolean> {
  return new Map([...there].flatMap(([name, isNumber]) => (isNumber ? [[name, isSeries(groups, name)]] : [])))
}

/** More metrics than these are not tried. */
const mostTried = 10

/** The same for runs whose groups are known. If nothing of the first metric can be drawn, and none is asked for, another one is. */
export function plotRuns(workspace: Workspace, request: Omit<PlotRequest, 'runs'>, all: Results): ExperimentPlot {
  const { name, results: expected } = findExperiment(workspace, request.experiment)
  if (!all.groups.some(mayBeDrawn)) throw nothingFinished(name, all.runs)
  const results = withPlaces(all, request)
  const { runs, there } = results
  const [first] = chosenMetrics(there, null, expected.best).metrics.map(metric => metric.name)
  const y = request.y ?? first
  if (y === undefined) {
    const of = runs.length === 1 ? `run ${runs[0]!.id} has` : 'these runs have'
    throw new UserError(`${of} no metrics that are numbers`, 'qanat help metrics        says how scripts leave them')
  }
  try {
    return plotMetric(workspace, { ...request, y }, results)
  } catch (error) {
    if (!(error instanceof UserError) || request.y !== null) throw error
    const others = [...there].flatMap(([other, isNumber]) => (isNumber && other !== y ? [other] : []))
    for (const other of others.slice(0, mostTried)) {
      const plotted = orElse(() => plotMetric(workspace, { ...request, y: other }, results), null)
      if (plotted) return { ...plotted, notes: [...plotted.notes, `${error.message}: ${other} is drawn instead`] }
    }
    throw error
  }
}

function plotMetric(
  workspace: Workspace,
  request: Omit<PlotRequest, 'runs'> & { readonly y: string },
  results: Results,
): ExperimentPlot {
  const { name, results: expected } = findExperiment(workspace, request.experiment)
  const { runs, groups, there } = results
  const { y } = request
  const [metric, statistic] = metricNamed('-y', y, there)
  const wish = wishOf(request, results, metric, y === metric)
  const shape = shapeOf(wish)
  const comparison = compareRuns(
    workspace,
    {
      ...{ experiment: name, by: shape.by, over: shape.over.length > 0 ? shape.over : null },
      metrics: [`${metric}:${statistic}`, ...(wish.x?.is === 'metric' ? [wish.x.name] : [])],
      ...{ sort: null, top: null, repeats: false, parameterFile: null },
    },
    results,
  )
  const isWanted = (cell: ComparedCell) => cell.finished > 0 || (shape.kind === 'series' && isLiveCell(cell, metric))
  const cells = asLaunched(comparison.cells.filter(isWanted))
  if (cells.length === 0) throw nothingFinished(name, runs)
  const series = readSeries(workspace, shape.kind === 'series' ? cells : [], expected.metrics, metric)
  const { by, metrics, origins, notes } = comparison
  const plot = makePlot({ shape, by, cells, metrics, numbers: wish.numbers, log: request.log, series })
  const drawn = plot.rows.filter(row => row.y !== null)
  if (plot.rows.length === 0 && series.stepless > 0) throw noSteps(metric)
  if (drawn.length === 0) throw nothingDrawn([metric, statistic], there, cells, series.unread)
  checkPlot(plot)
  const finished = cells.flatMap(cell => cell.groups)
  const shown =
    shape.kind === 'series'
      ? [...series.read, ...series.live]
      : finished.filter(each => numberIn(each, { name: metric, statistic }) !== null)
  const waiting = comparison.cells.flatMap(({ missing }) => [...missing.values()].flat())
  return {
    ...{ experiment: name, runs: runsOf(runs, shown), counted: runsOf(runs, [...finished, ...waiting]) },
    ...{ notes: [...origins, ...notes], plot, unread: series.unread, every: series.every, stepless: series.stepless },
    ...{ partial: series.partial, fewer: series.fewer },
    ...{ groups: shown.length, live: series.live.length },
    elsewhere: series.elsewhere,
    valueless: finished.length - (shown.length - series.live.length) - series.unread.length - series.elsewhere.length,
    varying: wish.varying,
    over: wish.varying.filter(each => !shape.by.includes(each)),
    crowded: request.over === null && request.by === null ? shape.over.filter(each => !looksLikeSeed(each)) : [],
    metric: y,
    metrics: numbersOf(groups, there),
    empty: comparison.cells.length - cells.length,
    missing: cells.reduce((sum, { expected, groups }) => sum + expected - groups.length, 0) - series.live.length,
    notFinite: (shape.kind === 'series' ? plot.rows.length : cells.filter(hasNumber).length) - drawn.length,
  }
}

/**
 * Leaves out the groups without the parameter of the horizontal axis, such as a trial run, if all others have numbers: an axis
 * of numbers has no place for them.
 */
function withPlaces(results: Results, { kind, x }: Pick<PlotRequest, 'kind' | 'x'>): Results {
  const { groups, notes } = results
  const name = x === null ? undefined : findParameter(x, parameterNames(groups))
  if (name === undefined || (kind !== null && kind !== 'points')) return results
  const placed = groups.filter(({ parameters }) => Object.hasOwn(parameters, name))
  const left = groups.length - placed.length
  if (left === 0 || !placed.some(mayBeDrawn) || !numericParameters(placed).has(name)) return results
  const note = `${left} ${left === 1 ? 'group' : 'groups'} without ${name} ${left === 1 ? 'is' : 'are'} not drawn`
  return { ...results, groups: placed, columns: parameterColumns(placed), notes: [...notes, note] }
}

/** Whether a group of a cell that runs has left a metric so far. */
function isLiveCell({ missing }: ComparedCell, metric: string): boolean {
  return missing.get('running')?.some(group => isLiveIn(group, metric)) ?? false
}

/** Cells in the order of their first groups instead of from the best to the worst. */
function asLaunched(cells: readonly ComparedCell[]): ComparedCell[] {
  const filled = cells.map(cell => ({ cell, first: cell.groups[0] ?? cell.missing.get('running')![0]! }))
  filled.sort(({ first: one }, { first: other }) => one.run - other.run || one.index - other.index)
  return filled.map(({ cell }) => cell)
}

function hasNumber({ values: [value] }: ComparedCell): boolean {
  return Boolean(value && 'mean' in value)
}

function runsOf(runs: readonly Run[], groups: readonly GroupResult[]): Run[] {
  const ids = new Set(groups.map(({ run }) => run))
  return runs.filter(({ id }) => ids.has(id))
}
