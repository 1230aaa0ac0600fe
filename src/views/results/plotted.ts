import type { ExperimentPlot } from '../../operations/results/plot-experiment.js'
import { idsText } from './comparison-remarks.js'

const names = { series: 'series', points: 'points', heatmap: 'heat map', bars: 'bars', scatter: 'scatter plot' }

/** What was drawn, and what not. */
export function plotText(file: string, plotted: ExperimentPlot): string {
  const { experiment, plot, runs, groups, over, empty, notFinite, unread, every } = plotted
  const ids = runs.map(({ id }) => id)
  const mean = over.length > 0 ? `, mean over ${over.join(', ')}` : ''
  const source = `${counted(groups, 'group')} of run${ids.length === 1 ? '' : 's'} ${idsText(ids)}`
  return [
    `${file}: ${names[plot.kind]} of ${source}${mean}`,
    ...(empty > 0 ? [`  ${counted(empty, 'cell')} without a finished group: qanat failures ${experiment}`] : []),
    ...(notFinite > 0 ? [`  ${counted(notFinite, 'value')} left out: NaN, infinite or not there`] : []),
    ...(unread.length > 0
      ? [
          `  the series of ${counted(unread.length, 'group')} cannot be read any more, as of ${unread[0]!.run}.${unread[0]!.index}`,
        ]
      : []),
    ...(every > 1 ? [`  of the steps, one in ${every} is drawn`] : []),
  ].join('\n')
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
