import { Args, Flags } from '@oclif/core'
import { experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listed } from '../../cli/parse/listed.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { saveTable } from '../../operations/results/collect.js'
import { reportExperiment } from '../../operations/results/report-experiment.js'
import { drawPlot } from '../../views/plots/draw-plot.js'
import { reportPage } from '../../views/report/page.js'

/** Two plots stand side by side on a wide screen, and on paper. */
const plotWidth = 145

export default class Report extends QanatCommand {
  static override summary =
    'Write a report on runs: one page with the comparison, plots, failures, origins and all groups'
  static override description =
    'The page loads nothing from anywhere and can be read without JavaScript, in the dark, on a phone, and on paper. It has at most 10 MB; it says what it leaves out. Parameters that look like a seed are averaged over.'
  static override examples = [
    '<%= config.bin %> report digits -o report.html',
    '<%= config.bin %> report digits 4 7 --over seed --metrics acc,loss -o report.html',
  ]
  static override strict = false
  static override args = {
    name: experimentArgument,
    runs: Args.string({ description: 'ids of runs, and ranges such as 5-9', completes: 'runs' }),
  }
  static override flags = {
    output: Flags.string({
      char: 'o',
      required: true,
      description: 'the file, such as report.html',
      completes: 'files',
    }),
    by: Flags.string({ description: 'the parameters that make a row of the comparison, separated by commas' }),
    over: Flags.string({ description: 'average over these parameters (default: those that look like a seed)' }),
    metrics: Flags.string({ description: 'the metrics to compare and to draw, separated by commas' }),
  }

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(Report, withOptionalValue(this.argv, '--over', Report.flags))
    const workspace = await this.workspace()
    const { by, over, metrics, output } = flags
    const request = { experiment: args.name, by: listed(by), over: listed(over), metrics: listed(metrics) }
    const report = await reportExperiment(workspace, argv.slice(1) as string[], request)
    const ids = report.runs.map(({ id }) => String(id))
    const plots = []
    for (const { plotted, metric } of report.plots) {
      const { svg } = await drawPlot(plotted.plot, plotWidth)
      plots.push({ svg, command: [args.name, ...ids, '-y', metric, '-o', 'plot.svg'], over: plotted.over })
    }
    const { html, leftOut } = reportPage(report, plots, Date.now())
    saveTable(workspace, output, [html])
    const { groups } = report
    const remark = leftOut > 0 ? `; ${leftOut} of them are not in its list, which would be too large` : ''
    this.print(`${output}: report on ${groups.length} group${groups.length === 1 ? '' : 's'}${remark}`)
  }
}
