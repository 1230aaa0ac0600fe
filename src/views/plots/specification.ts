import { valueText } from '../../domain/results/number-text.js'
import type { Plot, PlotScale, PlotValue } from '../../domain/results/plot/plot.js'
import type { Json } from './json.js'
import {
  type Around,
  barLayers,
  heatmapLayers,
  isSideways,
  loneSteps,
  pointLayers,
  seriesLayers,
  verticalOf,
} from './layers.js'
import { cutLabels, type Ground, lettersIn, onPaper, plotConfig } from './style.js'
import { labelsOf, plotText, titleOf } from './texts.js'

/** A specification, by the width of the data rectangle of each facet, in pixels. Its data are the same for all widths. */
export type Specification = (width: number) => Json

/** Narrower plots have their legend below, and so do those whose labels are longer than this part of the width. */
const widthForLegend = 400
const partForLegend = 0.3

/** A plot in Vega-Lite. @param width of the whole plot, in pixels of CSS, of which there are 96 to an inch */
export function specificationOf(plot: Plot, width: number, ground = onPaper): Specification {
  const { facet } = plot
  const lone = loneSteps(plot)
  const shown = shownTexts()
  const values = plot.rows.map(row => ({
    ...valuesOf(row, shown),
    ...(row.value !== null && { label: valueText(row.value, 3) }),
    ...(lone.has(row) && { lone: true }),
  }))
  return own => {
    const content = {
      width: own,
      height: heightOf(plot, own),
      layer: layersOf(plot, own, { ...aroundOf(plot, width, ground), hasLoneSteps: lone.size > 0 }),
    }
    const body =
      facet === null
        ? content
        : {
            facet: facetOf(facet, width),
            ...{ columns: facetColumns(facet, width), spacing: { row: 16, column: 16 }, spec: content },
            // Beside each row it would not have enough space.
            title: { text: titleOf(plot[verticalOf(plot)]), orient: 'left', anchor: 'middle' },
          }
    return {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      data: { values },
      ...body,
      config: plotConfig(width, ground),
    }
  }
}

/** How many plots are side by side: as many as there is space for, but with rows that are equally long. */
export function facetColumns(facet: PlotScale | null, width: number): number {
  const count = facet?.categories?.length ?? 1
  const most = width < widthForLegend ? 2 : width < 560 ? 3 : 4
  return Math.ceil(count / Math.ceil(count / most))
}

function facetOf(facet: PlotScale, width: number): Json {
  const labels = labelsOf(facet)
  const header = cutLabels(width * 0.3, labels)
  return { field: 'facet', type: 'nominal', title: plotText(facet.title), sort: labels, header }
}

/** A function that makes texts that can be shown. A category has many rows: it is looked at once. */
function shownTexts(): (value: PlotValue | null) => PlotValue | null {
  const known = new Map<string, string>()
  return value => {
    if (typeof value !== 'string') return value
    const text = known.get(value) ?? plotText(value)
    known.set(value, text)
    return text
  }
}

/** A row without what is not there, and with texts that can be shown. A series keeps its gaps. */
function valuesOf(row: Plot['rows'][number], shown: ReturnType<typeof shownTexts>): Json {
  const values: Record<string, PlotValue | null> = {}
  for (const [name, value] of Object.entries(row)) if (value !== null || name === 'y') values[name] = shown(value)
  return values
}

function aroundOf(plot: Plot, width: number, ground: Ground): Omit<Around, 'hasLoneSteps'> {
  const labels = plot.color?.categories ? labelsOf(plot.color).map(String) : []
  const longest = Math.max(0, ...labels.map(label => label.length))
  const isBelow = width < widthForLegend || longest > lettersIn(width * partForLegend)
  const legendSpace = isBelow ? width - 80 : width * partForLegend
  const legend = legendOf(plot, width, isBelow, legendSpace)
  const axisWidth = (width * 0.6) / facetColumns(plot.facet, width)
  return { ground, legend, legendSpace, axisWidth, labelLimit: width * 0.35 }
}

/** On the right, or below with as many columns as there is space for. */
function legendOf({ color }: Plot, width: number, isBelow: boolean, space: number): Json {
  const below = isBelow ? { orient: 'bottom', titleLimit: space, gradientLength: width / 2, columns: 6 } : {}
  if (!color?.categories) return below
  const longest = Math.max(...labelsOf(color).map(label => String(label).length))
  const columns = Math.max(1, Math.min(5, Math.floor((width - 50) / (longest * 7 + 30))))
  return { ...below, ...(isBelow && { columns }), ...cutLabels(space, labelsOf(color)) }
}

function layersOf(plot: Plot, width: number, around: Around): Json[] {
  if (plot.kind === 'heatmap') return heatmapLayers(plot, width, around)
  if (plot.kind === 'series') return seriesLayers(plot, around)
  return plot.kind === 'bars' ? barLayers(plot, around) : pointLayers(plot, around)
}

function heightOf(plot: Plot, width: number): number | Json {
  if (plot.kind === 'heatmap') {
    const [across, down] = [plot.x.categories!.length, plot.y.categories!.length]
    return Math.min(Math.max((width / across) * down, 12 * down), Math.max(width, 12 * down))
  }
  if (isSideways(plot)) return { step: plot.color?.categories ? 10 : 18 }
  return Math.round(width * (plot.facet === null ? 0.62 : 0.8))
}
