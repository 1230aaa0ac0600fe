import {
  bestOf,
  type Cell,
  type CellValue,
  type Comparison,
  cellValue,
  compareGroups,
  type GroupResult,
  looksLikeSeed,
  type MetricChoice,
  meanOf,
  originNames,
} from '../../domain/results/compare.js'
import type { Direction, Statistic } from '../../domain/results/metrics.js'
import { ordered } from '../../domain/results/ordered.js'
import { type Summary, summarize } from '../../domain/results/statistics.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence, nearest } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { type CountedRuns, groupResults, keepsApart, type Results, runsWithMetrics } from './chosen-runs.js'
import { type ComparedGrid, placeGroups, readGrid } from './compare-grid.js'

/** A request for a comparison, as it was typed. */
export interface CompareRequest {
  readonly experiment: string
  /** Ids and ranges of runs; none for all. */
  readonly runs: readonly string[]
  readonly by: readonly string[] | null
  /** Empty for the options that look like a seed; null for none. */
  readonly over: readonly string[] | null
  /** Such as `acc` and `acc:max`; null for those that the experiment declares, or all. */
  readonly metrics: readonly string[] | null
  /** A metric or a parameter, with a `-` before it from the largest to the smallest. */
  readonly sort: string | null
  /** At most this many rows; null for all. */
  readonly top: number | null
  readonly repeats: boolean
  /** A file of parameters, relative to the current folder, whose cells are the rows; null for those of the groups. */
  readonly parameterFile: string | null
}

/** A row of a comparison. Its values are computed when they are asked for: there may be 100,000 rows, and few are shown. */
export class ComparedCell implements Cell {
  readonly parameters: Cell['parameters']
  readonly groups: Cell['groups']
  readonly expected: number
  readonly missing: Cell['missing']
  private known: readonly CellValue[] | null = null

  constructor(
    cell: Cell,
    private readonly metrics: readonly MetricChoice[],
    readonly best: boolean,
  ) {
    this.parameters = cell.parameters
    this.groups = cell.groups
    this.expected = cell.expected
    this.missing = cell.missing
  }

  /** For each metric. */
  get values(): readonly CellValue[] {
    this.known ??= this.metrics.map(metric => cellValue(this, metric))
    return this.known
  }

  /** Seconds that its groups took; null if it is not known of any. */
  get time(): Summary | null {
    const known = this.groups.flatMap(({ seconds }) => seconds ?? [])
    return known.length > 0 ? summarize(known) : null
  }
}

/** A comparison of the groups of an experiment. */
export interface ExperimentComparison extends Omit<Comparison, 'cells'>, CountedRuns {
  readonly experiment: string
  readonly groups: number
  readonly metrics: readonly MetricChoice[]
  /** The metrics that are there besides. */
  readonly otherMetrics: readonly string[]
  readonly cells: readonly ComparedCell[]
  /** Groups whose files could not be read, with the first run of them; null if there are none. */
  readonly unreadable: { readonly groups: number; readonly run: number } | null
  /** What is known of the grid whose cells are the rows; null if the rows are those of the groups. */
  readonly grid: ComparedGrid | null
}

/** How many metrics are shown if nobody says which. */
const shownMetrics = 6

/** Compares the groups of an experiment. @throws UserError for names that are not there */
export async function compareExperiment(workspace: Workspace, request: CompareRequest): Promise<ExperimentComparison> {
  const { name } = findExperiment(workspace, request.experiment)
  const parameters = request.parameterFile === null ? null : readGrid(request.parameterFile)
  const found = await comparedResults(workspace, await runsWithMetrics(workspace, name, request.runs), request)
  if (!parameters) return compareRuns(workspace, request, found)
  const { placed, ...grid } = placeGroups(workspace, name, parameters, found.runs, found.groups)
  const comparison = compareRuns(workspace, request, { ...found, groups: placed })
  return { ...comparison, groups: found.groups.length - grid.leftOut, grid }
}

/** The results of runs with the metrics that are asked for or declared as best; with all if there are no such metrics. */
async function comparedResults(workspace: Workspace, runs: readonly Run[], request: CompareRequest): Promise<Results> {
  const { best } = findExperiment(workspace, request.experiment).results
  const wanted = request.metrics?.flatMap(word => [word, word.replace(ofSeries, '$1')]) ?? Object.keys(best)
  const apart = keepsApart(request)
  if (wanted.length === 0) return groupResults(workspace, runs, apart)
  const found = await groupResults(workspace, runs, apart, wanted)
  return wanted.some(name => found.there.has(name)) ? found : groupResults(workspace, runs, apart)
}

/** The same for runs whose groups are known. */
export function compareRuns(
  workspace: Workspace,
  request: Omit<CompareRequest, 'runs'>,
  { runs, left, notes, groups, there }: Results,
): ExperimentComparison {
  const { name, results } = findExperiment(workspace, request.experiment)
  const parameters = parameterNames(groups)
  const grid = compareGroups(groups, {
    by: request.by?.map(word => parameterNamed('--by', word, parameters)) ?? null,
    over: averaged(request, parameters),
    repeats: request.repeats,
  })
  refuseConstant(request, grid, parameters)
  const { metrics, otherMetrics } = chosenMetrics(there, request.metrics, results.best)
  const cells = sortedCells(grid, metrics, request)
  const warned = workspace.store
    .reading(() => runs.map(({ id }) => ({ run: id, groups: workspace.store.readings.warned(id) })))
    .filter(each => each.groups > 0)
  return {
    ...grid,
    experiment: name,
    ...{ runs, left, notes: [...notes, ...mixedOrigins(grid)] },
    groups: groups.length,
    metrics,
    otherMetrics,
    cells: request.top === null ? cells : cells.slice(0, request.top),
    unreadable: warned[0] ? { groups: warned.reduce((sum, each) => sum + each.groups, 0), run: warned[0].run } : null,
    grid: null,
  }
}

/** That means are over groups with different code, environments or data, which hides what those have changed. */
function mixedOrigins({ by, cells, varying }: Comparison): string[] {
  const mixed = originNames
    .filter(name => varying.includes(name) && !by.includes(name))
    .map(name => ({ name, values: mixedValues(name, cells) }))
    .filter(({ values }) => values.length > 0)
  if (mixed.length === 0) return []
  const texts = mixed.map(({ name, values }) => `${name} (${fewInSentence(values)})`)
  const names = [...by, ...mixed.map(({ name }) => name)].map(plain).join(',')
  return [`some means are over groups that differ in ${fewInSentence(texts)}: --by ${names}`]
}

/** The values of a parameter in the cells whose groups have different ones, each once. */
function mixedValues(name: string, cells: readonly Cell[]): string[] {
  const values = cells.map(({ groups }) => [
    ...new Set(groups.map(({ parameters }) => String(parameters[name] ?? 'not recorded'))),
  ])
  return [...new Set(values.filter(({ length }) => length > 1).flat())]
}

/** The names of all parameters. */
export function parameterNames(groups: readonly GroupResult[]): string[] {
  const names = new Set<string>()
  for (const { parameters } of groups) for (const name in parameters) names.add(name)
  return [...names]
}

/** The parameters to average over. */
export function averaged({ over }: Pick<CompareRequest, 'over'>, parameters: readonly string[]): string[] {
  if (over === null) return []
  if (over.length > 0) return over.map(word => parameterNamed('--over', word, parameters))
  const seeds = parameters.filter(looksLikeSeed)
  if (seeds.length > 0) return seeds
  throw new UserError(
    '--over: no option of the runs looks like a seed',
    `name one: --over ${parameters[0] ?? 'PARAMETER'}`,
  )
}

/** Averaging over something that does not vary is a mistake. */
function refuseConstant({ over }: Pick<CompareRequest, 'over'>, grid: Comparison, parameters: readonly string[]): void {
  const constant = over?.map(word => parameterNamed('--over', word, parameters)).find(name => !grid.over.includes(name))
  if (constant === undefined) return
  const others = grid.by.length > 0 ? `what varies is ${grid.by.join(', ')}` : 'no parameter varies'
  throw new UserError(`--over ${constant}: it is the same for all groups`, others)
}

/** A parameter may be named without its dashes. */
export function parameterNamed(option: string, word: string, parameters: readonly string[]): string {
  const found = findParameter(word, parameters)
  if (found !== undefined) return found
  const meant = nearest(plain(word), parameters.map(plain))
  throw new UserError(
    `${option} ${word}: no group has this parameter${meant === null ? '' : `. Did you mean ${meant}?`}`,
    parameters.length > 0 ? `the parameters are ${parameters.join(', ')}` : 'the groups have no parameters',
  )
}

/** The parameter of that name, with or without its dashes. */
export function findParameter(word: string, parameters: readonly string[]): string | undefined {
  return parameters.find(name => name === word) ?? parameters.find(name => plain(name) === plain(word))
}

function plain(name: string): string {
  return name.replace(/^--?/, '')
}

/**
 * The metrics that were asked for; else those that the experiment calls best, else those that are numbers.
 * @param there the names of all metrics, and whether their values are numbers
 */
export function chosenMetrics(
  there: ReadonlyMap<string, boolean>,
  words: readonly string[] | null,
  best: Readonly<Record<string, Direction>>,
): { metrics: MetricChoice[]; otherMetrics: readonly string[] } {
  const judged = ([name, statistic]: readonly [string, Statistic]): MetricChoice => ({
    name,
    statistic,
    direction: (Object.hasOwn(best, name) ? best[name] : null) ?? null,
  })
  const others = (chosen: readonly string[]) => [...there.keys()].filter(name => !chosen.includes(name))
  if (words !== null) {
    const metrics = words.map(word => judged(metricNamed('--metrics', word, there)))
    return { metrics, otherMetrics: others(metrics.map(({ name }) => name)) }
  }
  const declared = Object.keys(best).filter(name => there.has(name))
  const numbers = [...there].filter(([, isNumber]) => isNumber).map(([name]) => name)
  const shown = declared.length > 0 ? declared : numbers.slice(0, shownMetrics)
  return { metrics: shown.map(name => judged([name, 'last'])), otherMetrics: others(shown) }
}

/** A metric, and which value of a series, as in `acc:max`. */
const ofSeries = /^(.+):(last|min|max)$/

/**
 * A metric, and of a series the largest or smallest value, as in `acc:max`.
 * @param there names of all metrics
 * @param parameters which may be named in its place
 */
export function metricNamed(
  option: string,
  word: string,
  there: ReadonlyMap<string, boolean>,
  parameters: readonly string[] = [],
): [string, Statistic] {
  const [, name = word, statistic = 'last'] = there.has(word) ? [] : (ofSeries.exec(word) ?? [])
  if (there.has(name)) return [name, statistic as Statistic]
  const names = [...there.keys()]
  const meant = nearest(name, [...parameters.map(plain), ...names])
  const kind = parameters.length > 0 ? 'this parameter or metric' : 'this metric'
  const few = (all: readonly string[]) => `${all.slice(0, 20).join(', ')}${all.length > 20 ? ', …' : ''}`
  const metricsText = names.length > 0 ? `the metrics are ${few(names)}` : 'the groups have left no metrics'
  throw new UserError(
    `${option} ${name}: no group has ${kind}${meant === null ? '' : `. Did you mean ${meant}?`}`,
    [...(parameters.length > 0 ? [`the parameters are ${few(parameters)}`] : []), metricsText].join('; '),
  )
}

/** Sorted as asked for, else from the best to the worst, else as the groups come. All cells of a file keep their order. */
function sortedCells(
  grid: Comparison,
  metrics: readonly MetricChoice[],
  { sort, top, parameterFile }: Pick<CompareRequest, 'sort' | 'top' | 'parameterFile'>,
): ComparedCell[] {
  const judged = metrics.find(({ direction }) => direction !== null)
  const meansOf = (metric: MetricChoice) => grid.cells.map(cell => meanOf(cellValue(cell, metric)))
  const means = judged ? meansOf(judged) : []
  const best = grid.cells.length > 1 ? bestOf(means, judged?.direction ?? null) : null
  const cells = grid.cells.map((cell, at) => new ComparedCell(cell, metrics, best !== null && means[at] === best))
  const by = sort?.replace(/^-/, '') ?? judged?.name
  if (by === undefined || (sort === null && top === null && parameterFile !== null)) return cells
  const isReverse = sort === null ? judged!.direction === 'max' : sort.startsWith('-')
  const metric = metrics.find(({ name }) => name === by)
  if (metric) return ordered(cells, metric === judged ? means : meansOf(metric), isReverse)
  if (by === 'time' && findParameter(by, grid.by) === undefined)
    return ordered(
      cells,
      cells.map(({ time }) => time?.mean ?? null),
      isReverse,
    )
  const parameter = grid.by.indexOf(parameterNamed('--sort', by, grid.by))
  const values = cells.map(({ parameters }) => parameters[parameter] ?? null)
  return ordered(cells, values, isReverse)
}
