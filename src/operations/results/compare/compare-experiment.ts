import { bestOf, type CellValue, cellMean, cellValue, numberIn } from '../../../domain/results/cell-value.js'
import {
  type Cell,
  type Comparison,
  compareGroups,
  type MetricChoice,
  parameterColumns,
} from '../../../domain/results/compare.js'
import { bestNotes, comparisonNotes, originNotes } from '../../../domain/results/comparison/notes.js'
import { withoutMetrics } from '../../../domain/results/comparison/without-metrics.js'
import { type Direction, directionOf, type Statistic } from '../../../domain/results/metrics.js'
import {
  averaged,
  findParameter,
  joinedNames,
  metricNamed,
  ofSeries,
  parameterNamed,
} from '../../../domain/results/named.js'
import { ordered, readSort } from '../../../domain/results/ordered.js'
import { type Summary, summarize } from '../../../domain/results/statistics.js'
import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { presenceOf } from '../../../runfolder/files/presence.js'
import { findExperiment } from '../../registry/find-experiment.js'
import { readFolder, type Workspace } from '../../workspace.js'
import { groupResults, type Results, runsWithMetrics, withLive } from '../chosen-runs.js'
import type { CountedRuns } from '../counted-runs.js'
import type { LookedAt, ResultFilter } from '../looked-at.js'
import { apartIn } from '../run-origins.js'
import { type ComparedGrid, placeGroups, readGrid } from './compare-grid.js'

/** A request for a comparison, as it was typed. */
export interface CompareRequest {
  readonly experiment: string
  /** See {@link LookedAt}. */
  readonly runs: readonly string[]
  readonly filter?: ResultFilter | null
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
  // Once cells are sorted, their groups lie scattered in memory: what every cell is asked for is kept here.
  readonly finished: number
  readonly expected: number
  private known: readonly CellValue[] | null = null

  constructor(
    /** Without its values. */
    readonly cell: Cell,
    private readonly metrics: readonly MetricChoice[],
    readonly best: boolean,
  ) {
    this.finished = cell.finished
    this.expected = cell.expected
  }

  get parameters(): Cell['parameters'] {
    return this.cell.parameters
  }

  get groups(): Cell['groups'] {
    return this.cell.groups
  }

  get missing(): Cell['missing'] {
    return this.cell.missing
  }

  /** For each metric. */
  get values(): readonly CellValue[] {
    this.known ??= this.metrics.map(metric => cellValue(this, metric))
    return this.known
  }

  /** For each metric without a value the numbers that its groups that run have left so far. */
  get soFar(): readonly (readonly number[])[] {
    const running = this.missing.get('running') ?? []
    return this.metrics.map((metric, at) =>
      this.values[at] === null ? running.flatMap(({ soFar = {} }) => numberIn({ metrics: soFar }, metric) ?? []) : [],
    )
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
  /** Sentences on code, data and environments that differ, and which no column shows; they belong to the table. */
  readonly origins: readonly string[]
  /** The parameters that `--by` names. */
  readonly byNamed: readonly string[]
  readonly metrics: readonly MetricChoice[]
  /** The metrics that are there besides. */
  readonly otherMetrics: readonly string[]
  readonly cells: readonly ComparedCell[]
  /** The same without `--top`. */
  readonly allCells: readonly ComparedCell[]
  /** Whether groups that run have left metrics so far. */
  readonly isLive: boolean
  /** Those of which no group has any of the metrics. */
  readonly bare: ReadonlySet<Cell>
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
  const looked = { words: request.runs, filter: request.filter ?? null }
  const runs = await runsWithMetrics(workspace, name, looked)
  const found = withLive(workspace, await comparedResults(workspace, runs, request, looked))
  if (!parameters) return compareRuns(workspace, request, found)
  const { placed, spellings, ...grid } = placeGroups(name, parameters, found)
  const comparison = compareRuns(workspace, request, {
    ...found,
    ...{ groups: placed, columns: parameterColumns(placed), spellings },
  })
  return { ...comparison, groups: found.groups.length - grid.leftOut, grid }
}

/** The results of runs with the metrics that are asked for or declared as best; with all if there are no such metrics. */
async function comparedResults(
  workspace: Workspace,
  runs: readonly Run[],
  request: CompareRequest,
  looked: LookedAt,
): Promise<Results> {
  const { best } = findExperiment(workspace, request.experiment).results
  const namesOf = (word: string) => [word, word.replace(ofSeries, '$1')]
  // Names may have commas.
  const words = request.metrics?.flatMap((_, first, all) => all.map((_, last) => all.slice(first, last + 1).join()))
  const shown = words?.flatMap(namesOf) ?? Object.keys(best)
  const apart = request.repeats ? null : apartIn(request)
  if (shown.length === 0) return groupResults(workspace, runs, apart, null, looked)
  const sorted = request.sort === null ? [] : namesOf(readSort(request.sort).by)
  const found = await groupResults(workspace, runs, apart, [...shown, ...sorted], looked)
  return shown.some(name => found.there.has(name)) ? found : groupResults(workspace, runs, apart, null, looked)
}

/** The same for runs whose groups are known. */
export function compareRuns(
  workspace: Workspace,
  request: Omit<CompareRequest, 'runs'>,
  { runs, left, notes, groups, columns, there, spellings }: Results & Partial<Pick<Comparison, 'spellings'>>,
): ExperimentComparison {
  const { name, results } = findExperiment(workspace, request.experiment)
  const parameters = columns.map(column => column.name)
  const by = request.by?.map(word => parameterNamed('--by', word, parameters)) ?? null
  const over = averaged(request.over, parameters)
  const compared = compareGroups(groups, { by, over }, columns)
  const grid = spellings ? { ...compared, spellings } : compared
  refuseConstant(request, grid, parameters)
  const { metrics, otherMetrics } = chosenMetrics(there, request.metrics, results.best)
  const presence = (run: Run) => presenceOf(readFolder(workspace, run))
  const names = metrics.map(each => each.name)
  const cells = sortedCells(grid, metrics, request, there)
  const called = Object.keys(results.best).filter(name => request.metrics === null || names.includes(name))
  const without = withoutMetrics(runs, grid.cells, metrics, presence)
  const warned = workspace.store
    .reading(() => runs.map(({ id }) => ({ run: id, groups: workspace.store.readings.warned(id) })))
    .filter(each => each.groups > 0)
  return {
    ...grid,
    experiment: name,
    ...{ runs, left },
    notes: [
      ...[...notes, ...comparisonNotes(grid, request.over === null, names), ...without.notes],
      ...bestNotes(called, there),
    ],
    groups: groups.length,
    isLive: groups.some(({ soFar }) => soFar !== undefined),
    origins: originNotes(grid, names),
    byNamed: by ?? [],
    metrics,
    otherMetrics,
    cells: request.top === null ? cells : cells.slice(0, request.top),
    allCells: cells,
    bare: without.bare,
    unreadable: warned[0] ? { groups: warned.reduce((sum, each) => sum + each.groups, 0), run: warned[0].run } : null,
    grid: null,
  }
}

/** Averaging over something that does not vary is a mistake. */
function refuseConstant({ over }: Pick<CompareRequest, 'over'>, grid: Comparison, parameters: readonly string[]): void {
  const constant = over?.map(word => parameterNamed('--over', word, parameters)).find(name => !grid.over.includes(name))
  if (constant === undefined) return
  const others = grid.by.length > 0 ? `what varies is ${grid.by.join(', ')}` : 'no parameter varies'
  throw new UserError(`--over ${constant}: it is the same for all groups`, others)
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
    direction: directionOf(name, best),
  })
  const others = (chosen: readonly string[]) => [...there.keys()].filter(name => !chosen.includes(name))
  if (words !== null) {
    const metrics = joinedNames(words, there).map(word => judged(metricNamed('--metrics', word, there)))
    return { metrics, otherMetrics: others(metrics.map(({ name }) => name)) }
  }
  const declared = Object.keys(best).filter(name => there.has(name))
  const numbers = [...there].filter(([, isNumber]) => isNumber).map(([name]) => name)
  const shown = declared.length > 0 ? declared : numbers.slice(0, shownMetrics)
  return { metrics: shown.map(name => judged([name, 'last'])), otherMetrics: others(shown) }
}

/** Sorted as asked for, else from the best to the worst, else as the groups come. All cells of a file keep their order. */
function sortedCells(
  grid: Comparison,
  metrics: readonly MetricChoice[],
  { sort, top, parameterFile }: Pick<CompareRequest, 'sort' | 'top' | 'parameterFile'>,
  there: Results['there'],
): ComparedCell[] {
  const judged = metrics.find(({ direction }) => direction !== null)
  const meansOf = (metric: MetricChoice) => grid.cells.map(cell => cellMean(cell, metric))
  const means = judged ? meansOf(judged) : []
  const best = grid.cells.length > 1 ? bestOf(means, judged?.direction ?? null) : null
  const cells = grid.cells.map((cell, at) => new ComparedCell(cell, metrics, best !== null && means[at] === best))
  if (sort === null) {
    if (!judged || (top === null && parameterFile !== null)) return cells
    return ordered(cells, means, judged.direction === 'max')
  }
  const { by, isReverse } = readSort(sort)
  const shown = metrics.find(({ name }) => name === by)
  const parameter = findParameter(by, grid.by)
  if (!shown && parameter !== undefined) {
    const at = grid.by.indexOf(parameter)
    const values = cells.map(({ parameters }) => parameters[at] ?? null)
    return ordered(cells, values, isReverse)
  }
  if (!shown && (by === 'time' || (by === 'duration' && !there.has(by)))) {
    const times = cells.map(({ time }) => time?.mean ?? null)
    return ordered(cells, times, isReverse)
  }
  const named = grid.by.length > 0 ? grid.by : null
  const [name, statistic] = shown ? [by, shown.statistic] : metricNamed('--sort', by, there, named)
  return ordered(cells, meansOf({ name, statistic, direction: null }), isReverse)
}
