import { plotKinds } from '../../domain/results/plot/plot.js'
import type { ExperimentPlot, PlotRequest } from '../../operations/results/plot-experiment.js'
import { plotHeadline, plotRemarks } from '../results/plotted.js'

/** A plot for a page in the browser: what is drawn, what is chosen, and what can be chosen instead. */
export function plotPage(plotted: ExperimentPlot, { x, y, facet, kind }: PlotRequest) {
  const { plot, varying, over, metric, metrics } = plotted
  const names = [...metrics].flatMap(([name, isSeries]) => (isSeries ? [name, `${name}:max`, `${name}:min`] : [name]))
  const axes = [plot.x.title, plot.y.title].join(' and ')
  return {
    headline: sentence(plotHeadline(plotted)),
    text: sentence(`${plot.kind}: ${axes}`),
    remarks: plotRemarks(plotted),
    kinds: plotKinds,
    metrics: names,
    chosen: { x, y: y ?? metric, facet, kind },
    log: { x: plot.x.isLog, y: plot.y.isLog },
    varying,
    over,
  }
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
