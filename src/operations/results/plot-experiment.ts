import { numberIn } from '../../domain/results/cell-value.js'
import {
  compareGroups,
  type GroupResult,
  hasOneOf,
  numericParameters,
  originNames,
} from '../../domain/results/compare.js'
import type { Statistic } from '../../domain/results/metrics.js'
import { averaged, findParameter, metricNamed, parameterNamed, parameterNames } from '../../domain/results/named.js'
import { checkPlot } from '../../domain/results/plot/check-plot.js'
import { makePlot } from '../../domain/results/plot/make-plot.js'
import type { Plot, PlotKind } from '../../domain/results/plot/plot.js'
import { type Horizontal, type PlotShape, type PlotWish, plotShape } from '../../domain/results/plot/shape.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { groupResults, type Results, runsWithMetrics } from './chosen-runs.js'
import { type ComparedCell, chosenMetrics, compareRuns } from './compare/compare-experiment.js'
import { readSeries } from './plot-series.js'
import { refuseUncounted } from './run-origins.js'

export { plotKinds } from '../../domain/results/plot/plot.js'

/** A request for a plot, as it was typed. */
export interface PlotRequest {
  readonly experiment: string
  /** Ids and ranges of runs; none for all. */
  readonly runs: readonly string[]
  readonly kind: PlotKind | null
  readonly x: string | null
  readonly y: string | null
  readonly by: readonly string[] | null
  /** Empty for the options that look like a seed, which must be there; null for those that are. */
  readonly over: readonly string[] | null
  readonly facet: string | null
  /** Null if nobody says. */
  readonly log: { readonly x: boolean; readonly y: boolean } | null
}

/** A plot, and what it does not show. */
export interface ExperimentPlot {
  readonly experiment: string
  /** Those whose groups are in it. */
  readonly runs: readonly Run[]
  /** Also those whose groups may be in it when it is made again, since they have not finished. */
  readonly counted: readonly Run[]
  /** Why groups of other runs do not count. */
  readonly notes: readonly string[]
  /** How many groups do not count: another one with the same parameters does, the newest that has finished. */
  readonly superseded: number
  readonly plot: Plot
  readonly groups: number
  readonly varying: readonly string[]
  readonly over: readonly string[]
  /** The name of the metric; and for each metric with numbers, whether it is a series. */
  readonly metric: string
  readonly metrics: ReadonlyMap<string, boolean>
  /** Cells without a finished group. */
  readonly empty: number
  /** How many groups of the other cells have not finished, and are missing in their means. */
  readonly missing: number
  /** How many have finished without a value of the metric, or without a series if a series is drawn. */
  readonly valueless: number
  /** Values of cells, or of steps of a series, that are NaN, infinite, or not there. */
  readonly notFinite: number
  /** Groups whose series could not be read. */
  readonly unread: readonly GroupResult[]
  /** n if only every n-th step of a series is drawn; 1 if all are. */
  readonly every: number
  /** How many values of a series are not drawn since they have no step. */
  readonly stepless: number
  /** How many steps of means are not drawn since not all groups have them. */
  readonly partial: number
}

/** Makes a plot of the groups of an experiment. @throws UserError for unknown names, and if there is nothing to draw */
export async function plotExperiment(workspace: Workspace, request: PlotRequest): Promise<ExperimentPlot> {
  const { name } = findExperiment(workspace, request.experiment)
  const runs = await runsWithMetrics(workspace, name, request.runs)
  const { by, x, facet } = request
  const apart = originNames.filter(name => [...(by ?? []), x, facet].includes(name))
  const results = await groupResults(workspace, runs, apart)
  await refuseUncounted(workspace, runs, results, { ...request, by: by ?? [] })
  return plotRuns(workspace, request, results)
}

/** The same for runs whose groups are known. */
export function plotRuns(workspace: Workspace, request: Omit<PlotRequest, 'runs'>, all: Results): ExperimentPlot {
  const { name, results: expected } = findExperiment(workspace, request.experiment)
  if (!all.groups.some(hasFinished)) throw nothingFinished(name, all.runs)
  const results = withPlaces(all, request)
  const { runs, groups, there } = results
  const y = request.y ?? chosenMetrics(there, null, expected.best).metrics[0]?.name
  if (y === undefined) {
    const of = runs.length === 1 ? `run ${runs[0]!.id} has` : 'these runs have'
    throw new UserError(`${of} no metrics that are numbers`, 'qanat help metrics        says how scripts leave them')
  }
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
  const cells = asLaunched(comparison.cells)
  const series = readSeries(workspace, shape.kind === 'series' ? cells : [], expected.metrics, metric)
  const { by, metrics, notes, superseded } = comparison
  const plot = makePlot({ shape, by, cells, metrics, numbers: wish.numbers, log: request.log, series })
  const drawn = plot.rows.filter(row => row.y !== null)
  if (plot.rows.length === 0 && series.stepless > 0) throw noSteps(metric)
  if (drawn.length === 0) throw nothingDrawn([metric, statistic], there, cells, series.unread)
  checkPlot(plot)
  const finished = cells.flatMap(cell => cell.groups)
  const shown =
    shape.kind === 'series'
      ? series.read
      : finished.filter(each => numberIn(each, { name: metric, statistic }) !== null)
  const waiting = comparison.cells.flatMap(({ missing }) => [...missing.values()].flat())
  return {
    ...{ experiment: name, runs: runsOf(runs, shown), counted: runsOf(runs, [...finished, ...waiting]) },
    ...{ notes, superseded, plot, unread: series.unread, every: series.every, stepless: series.stepless },
    partial: series.partial,
    groups: shown.length,
    valueless: finished.length - shown.length - series.unread.length,
    varying: wish.varying,
    over: wish.varying.filter(each => !shape.by.includes(each)),
    metric: y,
    metrics: new Map([...there].flatMap(([name, isNumber]) => (isNumber ? [[name, isSeries(groups, name)]] : []))),
    empty: comparison.cells.length - cells.length,
    missing: cells.reduce((sum, { expected, groups }) => sum + expected - groups.length, 0),
    notFinite: (shape.kind === 'series' ? plot.rows.length : cells.filter(hasNumber).length) - drawn.length,
  }
}

/**
 * Leaves out the groups without the parameter of the horizontal axis, such as a trial run, if all others have numbers: an axis
 * of numbers has no place for them.
 */
function withPlaces(results: Results, { kind, x }: Pick<PlotRequest, 'kind' | 'x'>): Results {
  const { groups, notes, areApart } = results
  const name = x === null ? undefined : findParameter(x, parameterNames(groups))
  if (name === undefined || (kind !== null && kind !== 'points')) return results
  const placed = groups.filter(({ parameters }) => Object.hasOwn(parameters, name))
  const left = groups.length - placed.length
  if (left === 0 || !placed.some(hasFinished) || !numericParameters(placed, areApart).has(name)) return results
  const note = `${left} ${left === 1 ? 'group' : 'groups'} without ${name} ${left === 1 ? 'is' : 'are'} not drawn`
  return { ...results, groups: placed, notes: [...notes, note] }
}

function hasFinished({ state }: GroupResult): boolean {
  return state === 'finished'
}

/** @param isWhole whether no certain value of a series is asked for */
function wishOf(
  request: Omit<PlotRequest, 'runs'>,
  { groups, there, areApart }: Results,
  metric: string,
  isWhole: boolean,
): PlotWish {
  const parameters = parameterNames(groups)
  const finished = groups.filter(hasFinished)
  const measured = finished.filter(group => hasOneOf(group, [metric]))
  // Only what differs among groups that are drawn has a place: an option that was mistyped once, or a trial, gets none.
  const drawn = measured.length > 0 ? measured : finished
  const varyingIn = (some: typeof groups) => compareGroups(some, { by: null, over: [], repeats: false }, areApart).by
  // As long as a single one has finished, what will differ later has one.
  const varies = varyingIn(drawn)
  return {
    kind: request.kind,
    x: request.x === null ? null : horizontal(request.x, parameters, there),
    by: request.by?.map(word => parameterNamed('--by', word, parameters)) ?? null,
    over: request.over === null ? null : averaged(request.over, parameters),
    facet: request.facet === null ? null : parameterNamed('--facet', request.facet, parameters),
    varying: varies.length > 0 ? varies : varyingIn(groups).filter(name => drawn.some(each => name in each.parameters)),
    numbers: numericParameters(drawn, areApart),
    isSeries: isWhole && isSeries(groups, metric),
  }
}

function isSeries(groups: readonly GroupResult[], metric: string): boolean {
  return groups.some(({ metrics }) => Object.hasOwn(metrics, metric) && typeof metrics[metric] === 'object')
}

/** Parameters come first: `lr:last` means the metric of the same name. */
function horizontal(word: string, parameters: readonly string[], there: ReadonlyMap<string, boolean>): Horizontal {
  const parameter = findParameter(word, parameters)
  if (parameter !== undefined) return { is: 'parameter', name: parameter }
  if (/^(step|epoch)$/.test(word) && !there.has(word)) return { is: 'step', name: word }
  const [metric, statistic] = metricNamed('-x', word, there, parameters)
  return { is: 'metric', name: `${metric}:${statistic}` }
}

function shapeOf(wish: PlotWish): PlotShape {
  const shape = plotShape(wish)
  if (typeof shape !== 'string') return shape
  if (shape.startsWith('series: no group has'))
    throw new UserError(
      shape,
      'name the file that has them in the YAML file: metrics: [{file: history.csv, step: epoch}]',
    )
  const others =
    wish.varying.length > 0
      ? `what varies is ${wish.varying.join(', ')}`
      : 'draw runs with different parameters, or a series'
  throw new UserError(shape, others)
}

/** The cells with finished groups, in the order of their first groups instead of from the best to the worst. */
function asLaunched(cells: readonly ComparedCell[]): ComparedCell[] {
  const filled = cells.filter(({ finished }) => finished > 0).map(cell => ({ cell, first: cell.groups[0]! }))
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

function nothingFinished(experiment: string, runs: readonly Run[]): UserError {
  const ids = runs.map(({ id }) => String(id))
  if (ids.length === 1) return new UserError(`no group of run ${ids[0]} has finished`, `qanat why ${ids[0]}`)
  return new UserError(`no group of runs ${fewInSentence(ids)} has finished`, `qanat experiment status ${experiment}`)
}

function noSteps(metric: string): UserError {
  return new UserError(
    `-y ${metric}: the rows with its values have no number in the column that counts the others`,
    `name the column that counts them in the YAML file, as in metrics: [{file: FILE, step: epoch}], or draw its last value: -y ${metric}:last`,
  )
}

/** @param cells of which nothing can be drawn */
function nothingDrawn(
  [metric, statistic]: readonly [string, Statistic],
  there: ReadonlyMap<string, boolean>,
  cells: readonly ComparedCell[],
  unread: readonly GroupResult[],
): UserError {
  const [first] = unread
  if (first) {
    return new UserError(
      `-y ${metric}: its series cannot be read any more, such as that of group ${first.run}.${first.index}`,
      `the files are gone or have changed; the last values that were read are still stored: -y ${metric}:last`,
    )
  }
  if (!there.get(metric)) return new UserError(`-y ${metric}: its values are not numbers`, 'choose another metric')
  const groups = cells.flatMap(cell => cell.groups)
  const odd = groups.filter(group => !Number.isFinite(numberIn(group, { name: metric, statistic }) ?? 0))
  if (odd.length === 0 || odd.length === groups.length)
    return new UserError(`-y ${metric}: all its values are NaN or infinite`, 'choose another metric')
  const [one] = odd
  return new UserError(
    `-y ${metric}: it is NaN or infinite in ${odd.length} of ${groups.length} groups, such as ${one!.run}.${one!.index}, and each mean includes one of them`,
    'name the parameter that separates these groups: --by PARAMETER or --facet PARAMETER',
  )
}
