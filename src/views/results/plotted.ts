import type { ExperimentPlot } from '../../operations/results/plot/plot-experiment.js'
import { counted } from '../format/counted.js'
import { runsText } from './comparison-remarks.js'

const names = { series: 'series', points: 'points', heatmap: 'heat map', bars: 'bars', scatter: 'scatter plot' }

/** What was drawn, and what was left out. */
export function plotText(file: string, plotted: ExperimentPlot): string {
  return [`${file}: ${plotHeadline(plotted)}`, ...plotRemarks(plotted).map(line => `  ${line}`)].join('\n')
}

/** What was drawn. */
export function plotHeadline({ plot, runs, groups, live, over }: ExperimentPlot): string {
  const isMean = over.length > 0 && !plot.rows.every(({ line }) => line !== undefined)
  const mean = isMean ? `, mean over ${over.join(', ')}` : ''
  const running = live === 0 ? '' : `, of which ${live} still ${live === 1 ? 'runs' : 'run'}`
  return `${names[plot.kind]} of ${counted(groups, 'group')} of ${runsText(runs)}${running}${mean}`
}

/** What was not drawn. */
export function plotRemarks(plotted: ExperimentPlot): string[] {
  const { experiment, notes, metric, plot, groups, empty, missing, valueless, crowded } = plotted
  const { notFinite, stepless, partial, fewer, unread, elsewhere, every } = plotted
  const what = plot.kind === 'series' ? 'series' : 'value'
  const unreadable = `the series of ${counted(unread.length, 'group')} cannot be read any more`
  const all = groups + missing + valueless + unread.length + elsewhere.length
  const are = (count: number) => (count === 1 ? 'is missing, since it has' : 'are missing, since they have')
  const [lost] = unread
  const areApart = plot.rows.some(({ line = 0, isLive }) => line > 1 && !isLive)
  const remarks: readonly (readonly [isTold: boolean, text: string])[] = [
    [empty > 0, `${counted(empty, 'cell')} without a finished group: qanat failures ${experiment}`],
    [missing > 0, `${missing} of ${all} groups ${are(missing)} not finished: qanat failures ${experiment}`],
    [plotted.live > 0, 'groups that still run have a line each, and count in no mean'],
    [valueless > 0, `${valueless} of ${all} groups ${are(valueless)} no ${what} of ${metric}`],
    [notFinite > 0, `${counted(notFinite, 'value')} left out: NaN, infinite or not there`],
    [
      elsewhere.length > 0,
      `${counted(elsewhere.length, 'group')} without ${plot.x.title} of its values, such as ${elsewhere[0]?.run}.${elsewhere[0]?.index}, left out`,
    ],
    [stepless > 0, `${counted(stepless, 'value')} without a step left out`],
    [partial > 0, `${counted(partial, 'step')} left out, which only some groups of a mean have`],
    [
      fewer.steps > 0,
      `${counted(fewer.steps, 'step')} with a mean of fewer groups than others (at least ${fewer.least}): lines are broken there`,
    ],
    [areApart, 'each group has a line, and no mean: most steps are in some of the groups only'],
    [
      crowded.length > 0,
      `no legend shows all that varies, so ${crowded.join(', ')} ${crowded.length === 1 ? 'is' : 'are'} averaged over: --by tells others apart`,
    ],
    [lost !== undefined, `${unreadable}, such as that of ${lost?.run}.${lost?.index}`],
    [every > 1, `of the steps, one in ${every} is drawn`],
  ]
  return [...notes, ...remarks.flatMap(([isTold, text]) => (isTold ? [text] : []))]
}
