import { Flags } from '@oclif/core'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listed } from '../../cli/parse/listed.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { saveOutput } from '../../operations/results/output-file.js'
import { reportExperiment } from '../../operations/results/report-experiment.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
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
  static override args = runsArguments
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
    const { argv, flags } = await this.parse(Report, withOptionalValue(this.argv, '--over', Report.flags))
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const { by, over, metrics, output } = flags
    const request = { experiment: name, by: listed(by), over: listed(over), metrics: listed(metrics) }
    const report = await reportExperiment(workspace, runs, request)
    const ids = report.runs.map(({ id }) => String(id))
    const plots = []
    for (const { plotted, metric } of report.plots) {
      const { svg } = await drawPlot(plotted.plot, plotWidth)
      plots.push({ svg, command: [name, ...ids, '-y', metric, '-o', 'plot.svg'], over: plotted.over })
    }
    const { html, leftOut } = reportPage(report, plots, Date.now())
    saveOutput(workspace, output, html)
    const { groups } = report
    const remark = leftOut > 0 ? `; ${leftOut} of them are not in its list, which would be too large` : ''
    this.print(`${output}: report on ${groups.length} group${groups.length === 1 ? '' : 's'}${remark}`)
  }
}
