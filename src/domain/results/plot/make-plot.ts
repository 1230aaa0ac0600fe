import { isNumberText } from '../../parameters/same-value.js'
import type { CellValue } from '../cell-value.js'
import type { Cell, MetricChoice } from '../compare.js'
import { ordered } from '../ordered.js'
import { endsAboveZero, meanOfCell } from './marks.js'
import { noValue, placeTexts } from './place-texts.js'
import type { Mark, Plot, PlotKind, PlotRow, PlotScale, PlotValue } from './plot.js'
import type { PlotShape } from './shape.js'

/** A cell of a comparison with the values of its metrics. */
export interface PlottedCell extends Cell {
  readonly values: readonly CellValue[]
}

/** The cells of a comparison that become a plot. */
export interface PlotData<C extends PlottedCell> {
  readonly shape: PlotShape
  /** The parameters that distinguish the cells, in the order of each cell's. */
  readonly by: readonly string[]
  readonly cells: readonly C[]
  /** The metric, and of a scatter plot that of the horizontal axis. */
  readonly metrics: readonly MetricChoice[]
  /** The parameters whose values are numbers. */
  readonly numbers: ReadonlyMap<string, number>
  /** Null if it was not given: then the axis of a parameter is logarithmic if its values span two decades. */
  readonly log: { readonly x: boolean; readonly y: boolean } | null
  /** The name of what counts the values of a series, and a function that says what is drawn of a cell. */
  readonly series: { readonly counter: string; readonly marksOf: (cell: C) => readonly Mark[] }
}

/** More different numbers than this are a range of colours instead of one each. */
const mostNumberColors = 8

/** Makes the rows and scales of a plot. Values that are not finite are left out. */
export function makePlot<C extends PlottedCell>(data: PlotData<C>): Plot {
  const { shape, cells, metrics, log, series } = data
  const { kind } = shape
  const isNumber = shape.x !== null && kind === 'points' && data.numbers.has(shape.x)
  const isRange = kind !== 'bars' && isColorRange(data)
  const xs = placesOf(data, shape.x === null ? [] : [shape.x], isNumber)
  const [ys, facets] = [shape.y, shape.facet].map(name => placesOf(data, name === null ? [] : [name]))
  const colored = placesOf(data, shape.color, isRange)
  const rows = cells.flatMap((cell, at) => {
    const marks = kind === 'series' ? series.marksOf(cell) : markOf(kind, cell, xs[at]!, ys![at]!)
    return marks.map((mark): PlotRow => ({ ...mark, color: colored[at]!, facet: facets![at]! }))
  })
  const number = (title: string, isLog = false): PlotScale => ({ title, categories: null, isLog })
  const places = (name: string, values: readonly (PlotValue | null)[]) => categories(plotTitle(name), values)
  const value = valueTitle(metrics[0]!, rows, kind !== 'heatmap')
  return {
    kind,
    x: horizontalScale(data, rows, isNumber),
    y: kind === 'heatmap' ? { ...places(shape.y!, column(rows, 'y')), isLog: log?.y ?? false } : number(value, log?.y),
    color: kind === 'heatmap' ? number(value) : colors(shape, column(rows, 'color'), isRange),
    facet: shape.facet === null ? null : places(shape.facet, column(rows, 'facet')),
    rows: log?.y ? endsAboveZero(rows) : rows,
  }
}

/** @param isNumber whether it shows the numbers of a parameter */
function horizontalScale<C extends PlottedCell>(
  data: PlotData<C>,
  rows: readonly PlotRow[],
  isNumber: boolean,
): PlotScale {
  const { shape, metrics, log, series } = data
  const values = column(rows, 'x')
  if (shape.x !== null && !isNumber) return { ...categories(plotTitle(shape.x), values), isLog: log?.x ?? false }
  const name = shape.x ?? series.counter
  const title = shape.kind === 'scatter' ? metricTitle(metrics[1]!) : plotTitle(name)
  const { least, isAll } = aboveZero(values)
  const isLog = log?.x ?? (isNumber && spansDecades(values.filter(value => Number(value) !== 0)))
  const linear = isLog && !isAll && Number.isFinite(least) ? { linearTo: least } : {}
  return { title, categories: null, isLog, ...linear, ...(isNumber && textsOf(data, name)) }
}

/** The smallest value above 0, and whether all are. */
function aboveZero(values: readonly PlotValue[]): { least: number; isAll: boolean } {
  let [least, isAll] = [Number.POSITIVE_INFINITY, true]
  for (const value of values) {
    if (Number(value) <= 0) isAll = false
    else least = Math.min(least, Number(value))
  }
  return { least, isAll }
}

/** The numbers of a parameter that were typed otherwise than they would be written. */
function textsOf<C extends PlottedCell>({ by, cells }: PlotData<C>, name: string): Pick<PlotScale, 'texts'> {
  const at = by.indexOf(name)
  const texts = new Map<number, string>()
  for (const { parameters } of cells) {
    const typed = parameters[at]
    if (typed && !texts.has(Number(typed))) texts.set(Number(typed), typed)
  }
  for (const [number, text] of texts) if (text === String(number)) texts.delete(number)
  return texts.size > 0 ? { texts } : {}
}

function column<Name extends 'x' | 'y' | 'color' | 'facet'>(rows: readonly PlotRow[], name: Name): PlotRow[Name][] {
  return rows.map(row => row[name])
}

/**
 * @param x, y the places of its parameters; null on an axis that shows a number of the cell
 * @returns nothing if the number is not finite
 */
function markOf(kind: PlotKind, { values }: PlottedCell, x: PlotValue | null, y: PlotValue | null): Mark[] {
  const own = meanOfCell(values[0])
  if (own === null) return []
  const { mean, ...rest } = own
  if (kind === 'scatter') {
    const other = meanOfCell(values[1])
    return other === null ? [] : [{ x: other.mean, y: mean, value: null, low: null, high: null, count: rest.count }]
  }
  return kind === 'heatmap' ? [{ x: x!, y, value: mean, ...rest }] : [{ x: x!, y: mean, value: null, ...rest }]
}

/**
 * For each cell the place of its values of these parameters, as they were typed; null without parameters.
 * @param areNumbers whether a number stands for the only parameter, on an axis of numbers
 */
function placesOf<C extends PlottedCell>(
  { by, cells }: PlotData<C>,
  names: readonly string[],
  areNumbers = false,
): (PlotValue | null)[] {
  if (names.length === 0) return cells.map(() => null)
  const places = cells.map(({ parameters }) => names.map(name => parameters[by.indexOf(name)] ?? null))
  return areNumbers ? places.map(([value]) => Number(value)) : placeTexts(places)
}

/** Whether colours are a continuous scale: that of many numbers. */
function isColorRange<C extends PlottedCell>({ shape: { color }, numbers }: PlotData<C>): boolean {
  const [first] = color
  return color.length === 1 && (numbers.get(first!) ?? 0) > mostNumberColors
}

/** A continuous scale is logarithmic if its numbers span two decades. */
function colors({ color }: PlotShape, values: readonly (PlotValue | null)[], isRange: boolean): PlotScale | null {
  if (color.length === 0) return null
  const scale = categories(color.map(plotTitle).join(', '), values)
  return isRange ? { ...scale, categories: null, isLog: spansDecades(scale.categories!) } : scale
}

/** Whether values are better seen on a logarithmic scale. */
function spansDecades(values: readonly PlotValue[]): boolean {
  const numbers = values.map(Number)
  const least = numbers.reduce((smallest, value) => Math.min(smallest, value), Number.POSITIVE_INFINITY)
  return least > 0 && numbers.some(value => value >= least * 100)
}

/** Numbers in the order of their values, before texts in the order in which they come. */
function categories(title: string, values: readonly (PlotValue | null)[]): PlotScale {
  const all = [...new Set(values)].filter(value => value !== null)
  const areNumbers = all.every(value => typeof value === 'number' || value === noValue || isNumberText(value))
  const keys = all.map(value => (typeof value === 'number' || (areNumbers && value !== noValue) ? value : null))
  return { title, categories: ordered(all, keys, false), isLog: false }
}

/** The name of a parameter or a metric as an axis shows it: `--learning_rate` is `learning rate`. */
function plotTitle(name: string): string {
  return name.replace(/^--?(?=\w)/, '').replaceAll('_', ' ')
}

function metricTitle({ name, statistic }: MetricChoice): string {
  return statistic === 'last' ? plotTitle(name) : `${statistic} ${plotTitle(name)}`
}

/** @param hasEnds whether deviations are drawn */
function valueTitle(metric: MetricChoice, rows: readonly PlotRow[], hasEnds: boolean): string {
  if (hasEnds && rows.some(({ low }) => low !== null)) return `${metricTitle(metric)} (mean ± sd)`
  return rows.some(({ count }) => count > 1) ? `${metricTitle(metric)} (mean)` : metricTitle(metric)
}
