import type { ExperimentPlot } from '../../operations/results/plot-experiment.js'
import { idsText, supersededRemark } from './comparison-remarks.js'

const names = { series: 'series', points: 'points', heatmap: 'heat map', bars: 'bars', scatter: 'scatter plot' }

/** What was drawn, and what was left out. */
export function plotText(file: string, plotted: ExperimentPlot): string {
  return [`${file}: ${plotHeadline(plotted)}`, ...plotRemarks(plotted).map(line => `  ${line}`)].join('\n')
}

/** What was drawn. */
export function plotHeadline({ plot, runs, groups, over }: ExperimentPlot): string {
  const ids = runs.map(({ id }) => id)
  const mean = over.length > 0 ? `, mean over ${over.join(', ')}` : ''
  return `${names[plot.kind]} of ${counted(groups, 'group')} of run${ids.length === 1 ? '' : 's'} ${idsText(ids)}${mean}`
}

/** What was not drawn. */
export function plotRemarks(plotted: ExperimentPlot): string[] {
  const { experiment, notes, superseded, metric, plot, groups, empty, missing, valueless } = plotted
  const { notFinite, stepless, unread, every } = plotted
  const all = groups + missing + valueless + unread.length
  const absent = (count: number, reason: string) =>
    count === 0
      ? []
      : [
          `${count} of ${all} groups ${count === 1 ? 'is missing, since it has' : 'are missing, since they have'} ${reason}`,
        ]
  return [
    ...notes,
    ...supersededRemark(superseded),
    ...(empty > 0 ? [`${counted(empty, 'cell')} without a finished group: qanat failures ${experiment}`] : []),
    ...absent(missing, `not finished: qanat failures ${experiment}`),
    ...absent(valueless, `no ${plot.kind === 'series' ? 'series' : 'value'} of ${metric}`),
    ...(notFinite > 0 ? [`${counted(notFinite, 'value')} left out: NaN, infinite or not there`] : []),
    ...(stepless > 0 ? [`${counted(stepless, 'value')} without a step left out`] : []),
    ...(unread.length > 0
      ? [
          `the series of ${counted(unread.length, 'group')} cannot be read any more, such as that of ${unread[0]!.run}.${unread[0]!.index}`,
        ]
      : []),
    ...(every > 1 ? [`of the steps, one in ${every} is drawn`] : []),
  ]
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
