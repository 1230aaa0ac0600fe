import { plotKinds } from '../../domain/results/plot/plot.js'
import type { ExperimentPlot, PlotChoices, PlotRequest } from '../../operations/results/plot/plot-experiment.js'
import { plotHeadline, plotRemarks } from '../results/plotted.js'

/** A plot for a page in the browser, if there is one, what is chosen, and what can be chosen instead. */
export function plotPage(choices: PlotChoices, drawn: ExperimentPlot | null, request: PlotRequest) {
  const { x, y, facet, kind, log } = request
  const { varying, over, metric, metrics } = choices
  const names = [...metrics].flatMap(([name, isSeries]) => (isSeries ? [name, `${name}:max`, `${name}:min`] : [name]))
  return {
    kinds: plotKinds,
    metrics: names,
    chosen: { x, y: y ?? metric, facet, kind },
    log: drawn ? { x: drawn.plot.x.isLog, y: drawn.plot.y.isLog } : (log ?? { x: false, y: false }),
    varying,
    over,
    drawn: drawn && drawnOf(drawn),
  }
}

function drawnOf(plotted: ExperimentPlot) {
  const { plot } = plotted
  return {
    headline: sentence(plotHeadline(plotted)),
    text: sentence(`${plot.kind}: ${[plot.x.title, plot.y.title].join(' and ')}`),
    remarks: plotRemarks(plotted),
  }
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
