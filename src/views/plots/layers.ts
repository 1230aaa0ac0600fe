import { isNumberText } from '../../domain/parameters/same-value.js'
import type { Plot, PlotRow, PlotScale, PlotValue } from '../../domain/results/plot/plot.js'
import { besideOthers } from './dodge.js'
import type { Json } from './json.js'
import { cutLabels, distinctMarks, type Ground, lettersIn, mostBarColors, numberColors, onlyColor } from './style.js'
import { labelsOf, legendTitle, titleOf } from './texts.js'

// What is drawn of each kind of plot, from the back to the front. All layers name the same fields: x, y, low, high, color.

/** The properties of what is around the data. */
export interface Around {
  readonly legend: Json
  /** The most space that its title and its labels have, in pixels. */
  readonly legendSpace: number
  /** The width of a horizontal axis, about, in pixels. */
  readonly axisWidth: number
  /** The most space that labels of an axis have, in pixels. */
  readonly labelLimit: number
  readonly ground: Ground
  readonly hasLoneSteps: boolean
}

/**
 * Steps of series without a neighbour, which a line does not show: a group may have ended after its first step, and there may be
 * gaps on both sides.
 */
export function loneSteps({ kind, rows }: Plot): ReadonlySet<PlotRow> {
  if (kind !== 'series') return new Set()
  // The rows of a line stand together.
  const isBeside = (row: PlotRow, other: PlotRow | undefined) =>
    other !== undefined &&
    other.y !== null &&
    (['facet', 'color', 'line', 'part'] as const).every(name => row[name] === other[name])
  return new Set(
    rows.filter((row, at) => row.y !== null && !isBeside(row, rows[at - 1]) && !isBeside(row, rows[at + 1])),
  )
}

/** Lines with a band for the deviation, and points for the steps that `lone` marks. */
export function seriesLayers(plot: Plot, around: Around): Json[] {
  // Without this, the legend would show the pale colours of the bands.
  const lines = { symbolType: 'stroke', symbolOpacity: 1, symbolStrokeWidth: 2, symbolSize: 200 }
  const legend = plot.color?.categories ? { ...around.legend, ...lines } : around.legend
  const { color, dash, ...channels } = channelsOf(plot, { ...around, legend })
  const [x, y] = [axisOf(plot, around, 'x'), axisOf(plot, around, 'y')]
  const [hasLive, hasOthers] = [plot.rows.some(({ isLive }) => isLive), plot.rows.some(({ isLive }) => !isLive)]
  const areApart = plot.rows.some(({ line, isLive }) => line !== undefined && !isLive)
  const isBroken = plot.rows.some(({ part }) => part !== undefined)
  const apart = [...(areApart || hasLive ? [{ field: 'line' }] : []), ...(isBroken ? [{ field: 'part' }] : [])]
  const detail = apart.length > 0 ? { detail: [...Object.values(channels.detail), ...apart] } : channels.detail
  const band = { mark: { type: 'area', fillOpacity: 0.18 }, encoding: { x, ...deviation(y), color, ...detail } }
  const line = {
    mark: { type: 'line', strokeWidth: areApart ? 0.75 : 1.5 },
    encoding: { x, y, color, ...detail, ...dash, ...(hasLive && hasOthers && { opacity: paleIfLive }) },
  }
  const point = {
    transform: [{ filter: 'datum.lone' }],
    mark: { type: 'point', filled: true, size: 20, opacity: 1 },
    encoding: { x, y, color, ...detail },
  }
  return [...(hasDeviation(plot) ? [band] : []), line, ...(around.hasLoneSteps ? [point] : [])]
}

/** Lines of groups that still run, beside others. */
const paleIfLive = { condition: { test: 'datum.isLive', value: 0.5 }, value: 1 }

/** Points with error bars; lines join those on an axis of numbers, but not the groups of a scatter plot. */
export function pointLayers(plot: Plot, around: Around): Json[] {
  const { color, detail, shape } = channelsOf(plot, around)
  const { mark: beside, reach } = besideOthers(plot, around.axisWidth)
  const [x, y] = [axisOf(plot, around, 'x', 8 + reach), axisOf(plot, around, 'y', plot.kind === 'scatter' ? 8 : 0)]
  const place = plot.x.categories === null ? { x } : { x, ...offsetOf(plot, 'x') }
  const joined = plot.x.categories === null && plot.kind === 'points'
  return [
    ...(joined ? [{ mark: { type: 'line', strokeWidth: 1.2, ...beside }, encoding: { x, y, color, ...detail } }] : []),
    ...(hasDeviation(plot)
      ? [{ mark: { type: 'rule', strokeWidth: 1.5, ...beside }, encoding: { ...place, ...deviation(y), color } }]
      : []),
    {
      mark: { type: 'point', filled: true, size: 40, opacity: 1, ...beside },
      encoding: { ...place, y, color, ...shape },
    },
  ]
}

/** Bars with error bars. */
export function barLayers(plot: Plot, around: Around): Json[] {
  const { color } = channelsOf(plot, around)
  const sideways = isSideways(plot)
  const along = sideways ? 'y' : 'x'
  const place = { [along]: axisOf(plot, around, 'x'), ...offsetOf(plot, along) }
  const value = { ...axisOf(plot, around, 'y'), scale: { zero: true }, stack: null }
  const { y, y2 } = deviation(value)
  const ends = sideways ? { x: y, x2: y2 } : { y, y2 }
  const rule = (mark: Json) => ({ mark: { type: 'rule', ...mark }, encoding: { ...place, ...ends } })
  const { text, halo } = around.ground
  return [
    { mark: { type: 'bar' }, encoding: { ...place, [sideways ? 'x' : 'y']: value, color } },
    // Within a bar of its own colour, an error bar shows by what is around it.
    ...(hasDeviation(plot) ? [rule({ color: halo, strokeWidth: 3 }), rule({ color: text })] : []),
  ]
}

/** Whether bars lie on their side, so that long names have space. */
export function isSideways({ kind, x, color, facet }: Plot): boolean {
  if (kind !== 'bars') return false
  const labels = labelsOf(x).map(label => String(label).length)
  const bars = labels.length * (color?.categories?.length ?? 1)
  return bars > 24 || labels.length * Math.max(...labels) > (facet === null ? 50 : 16)
}

/** A rectangle for each pair of parameters, with its number if there is space. */
export function heatmapLayers(plot: Plot, width: number, around: Around): Json[] {
  const [x, y] = [axisOf(plot, around, 'x'), axisOf(plot, around, 'y')]
  const place = { x, y: { ...y, sort: upwards(plot.y) } }
  const color = {
    ...{ field: 'value', type: 'quantitative', title: titleOf(plot.color!) },
    ...{ scale: { scheme: numberColors, zero: false }, legend: around.legend },
  }
  const hasSpace = width / plot.x.categories!.length >= 34
  const label = {
    mark: { type: 'text', fontSize: 9 },
    encoding: {
      ...{ ...place, text: { field: 'label', type: 'nominal' } },
      color: { condition: { test: `datum.value < ${middleOf(plot)}`, value: 'white' }, value: 'black' },
    },
  }
  return [{ mark: { type: 'rect' }, encoding: { ...place, color } }, ...(hasSpace ? [label] : [])]
}

/** Darker colours than that of this value need white text. */
function middleOf({ rows }: Plot): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { value } of rows) {
    if (value === null) continue
    if (value < least) least = value
    if (value > most) most = value
  }
  return least / 2 + most / 2
}

/** Numbers grow upwards; other categories begin at the top. */
function upwards(scale: PlotScale): PlotValue[] {
  const labels = labelsOf(scale)
  return labels.every(label => isNumberText(String(label))) ? labels.reverse() : labels
}

/** @param padding pixels between the ends of the axis and the outermost values */
function axisOf(plot: Plot, around: Around, field: 'x' | 'y', padding = 0): Json {
  const scale = plot[field]
  // Facets share the title of their vertical axes.
  const isShared = plot.facet !== null && field === verticalOf(plot)
  const base = { field, title: isShared ? null : titleOf(scale) }
  if (scale.categories === null) {
    const only = plot.kind === 'bars' ? null : onlyValue(plot, field)
    if (only !== null) {
      const text = scale.texts?.get(only) ?? String(only)
      return {
        ...base,
        type: 'quantitative',
        scale: { zero: false },
        axis: { values: [only], ...asTyped([[only, text]]) },
      }
    }
    const ticks = scale.isLog ? ticksOf(plot, field) : null
    // Labels beside each other need more space than those above each other.
    const across = Math.max(2, Math.floor(around.axisWidth / 50))
    const count = { tickCount: plot.facet === null ? 6 : field === 'y' && isSideways(plot) ? across : 4 }
    const axis = ticks === null ? count : { values: ticks, format: '~g', ...asTyped(scale.texts ?? []) }
    const type = typeOf(scale, field)
    return { ...base, type: 'quantitative', scale: { ...type, padding }, axis }
  }
  const labels = labelsOf(scale)
  const isBelow = field === 'x' && !isSideways(plot)
  const angle = isBelow
    ? angleOf(labels, Math.min(around.axisWidth / labels.length, around.labelLimit))
    : { labelAngle: 0 }
  const axis = { ...cutLabels(around.labelLimit, labels), grid: false, ...angle }
  return { ...base, type: 'ordinal', sort: labels, axis }
}

/** Labels that would overlap are aslant: Vega would leave some out. @param space for each, in pixels */
function angleOf(labels: readonly PlotValue[], space: number): Json {
  const lengths = labels.map(label => String(label).length)
  const areApart = lengths.every((length, at) => at === 0 || (length + lengths[at - 1]!) / 2 < lettersIn(space))
  return areApart || space < 12 ? { labelAngle: 0 } : { labelAngle: -45, labelOverlap: false }
}

/** The number that all rows have, with whose ticks Vega shows six digits behind the dot; null if they have several. */
function onlyValue({ rows }: Plot, field: 'x' | 'y'): number | null {
  let only: number | null = null
  for (const { x, y, low, high } of rows) {
    for (const value of field === 'x' ? [x] : [y, low, high]) {
      if (value === null || value === only) continue
      if (only !== null || typeof value !== 'number') return null
      only = value
    }
  }
  return only
}

/** A scale of numbers. A logarithm has no 0: there a scale with values that are not above it is linear. */
function typeOf({ isLog, linearTo }: PlotScale, field: 'x' | 'y'): Json {
  if (!isLog) return { zero: false }
  return linearTo === undefined
    ? { type: 'log', nice: field === 'y' }
    : { type: 'symlog', constant: linearTo, nice: false }
}

/** Labels of numbers as they were typed. */
function asTyped(texts: Iterable<readonly [number, string]>): Json {
  const known = [...texts].map(([number, text]) => `datum.value === ${number} ? ${JSON.stringify(text)} : `)
  if (known.length === 0) return {}
  return { labelExpr: `${known.join('')}datum.label` }
}

/** What the vertical axis shows. */
export function verticalOf(plot: Plot): 'x' | 'y' {
  return isSideways(plot) ? 'x' : 'y'
}

/** The ticks of a logarithmic axis: the values if they are few, else powers of ten; null if there are not even two. */
function ticksOf({ rows, ...scales }: Plot, field: 'x' | 'y'): number[] | null {
  const values = [...new Set(rows.flatMap(row => row[field] ?? []))].map(Number)
  if (field === 'x' && values.length <= 8) return values
  const { linearTo } = scales[field]
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, 0],
  )
  const [first, last] = [Math.floor(Math.log10(linearTo ?? least)), Math.ceil(Math.log10(most))]
  if (last - first < 2) return null
  const step = Math.ceil((last - first) / 8)
  const powers = Array.from({ length: (last - first) / step + 1 }, (_, at) => 10 ** (first + at * step))
  return linearTo === undefined ? powers : [Math.min(0, least), ...powers.filter(power => power <= most)]
}

function hasDeviation({ rows }: Plot): boolean {
  return rows.some(({ low }) => low !== null)
}

/** From the lower to the upper end. @param y the axis of the mean */
function deviation(y: Json): { readonly y: Json; readonly y2: Json } {
  return { y: { ...y, field: 'low' }, y2: { field: 'high' } }
}

function offsetOf({ color }: Plot, axis: 'x' | 'y'): Json {
  return color?.categories ? { [`${axis}Offset`]: { field: 'color', sort: labelsOf(color) } } : {}
}

/** How cells are distinguished: by colour, and in print without colours by the dash of a line or the shape of a point. */
interface Channels {
  readonly color: Json
  /** What separates lines if their colours are a continuous scale. */
  readonly detail: Json
  readonly dash: Json
  readonly shape: Json
}

function channelsOf({ color, kind }: Plot, { legend, legendSpace, ground }: Around): Channels {
  if (color === null) return { color: { value: onlyColor }, detail: {}, dash: {}, shape: {} }
  const field = { field: 'color', title: legendTitle(color, legendSpace) }
  if (color.categories === null) {
    const scale = { scheme: numberColors, zero: false, ...(color.isLog && { type: 'log' }) }
    const channel = { ...field, type: 'quantitative', scale, legend }
    return { color: channel, detail: { detail: { field: 'color' } }, dash: {}, shape: {} }
  }
  const domain = labelsOf(color)
  const { colors, dashes, shapes } = distinctMarks(domain.length, ground.ink)
  const channel = (range: object) => ({ ...field, type: 'nominal', scale: { domain, ...range }, legend })
  return {
    color: channel(kind === 'bars' && domain.length > mostBarColors ? { scheme: numberColors } : { range: colors }),
    detail: {},
    dash: { strokeDash: channel({ range: dashes }) },
    shape: { shape: channel({ range: shapes }) },
  }
}
