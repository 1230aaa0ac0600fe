import type { Plot } from '../../domain/results/plot/plot.js'
import type { Drawn } from './engine.js'
import { facetColumns, specificationOf } from './specification.js'
import type { Ground } from './style.js'

/** Draws a plot. The first call loads what draws. @param width in millimetres */
export async function drawPlot(plot: Plot, width: number, ground?: Ground): Promise<Drawn> {
  const pixels = (width / 25.4) * 96
  const { draw } = await import('./engine.js')
  return draw(specificationOf(plot, pixels, ground), pixels, facetColumns(plot.facet, pixels))
}
