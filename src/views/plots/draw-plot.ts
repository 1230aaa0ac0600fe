import type { Plot } from '../../domain/results/plot/plot.js'
import type { Drawn } from './engine.js'
import { facetColumns, specificationOf } from './specification.js'

/** Draws a plot. The first call loads what draws. @param width in millimetres */
export async function drawPlot(plot: Plot, width: number): Promise<Drawn> {
  const pixels = (width / 25.4) * 96
  const { draw } = await import('./engine.js')
  return draw(specificationOf(plot, pixels), pixels, facetColumns(plot.facet, pixels))
}
