import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { drawFigure } from '../../cli/results/figure.js'
import { usualWidth } from '../../cli/results/make-product.js'
import { UserError } from '../../errors.js'
import { readFigure } from '../../operations/results/figure-file.js'
import { plotKinds } from '../../operations/results/plot-experiment.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { commandIn } from '../../views/plots/record.js'
import { plotText } from '../../views/results/plotted.js'

export default class PlotCommand extends QanatCommand {
  static override summary = 'Draw the metrics of an experiment: lines, points, bars, a heat map or a scatter plot'
  static override description =
    'The data decide what is drawn: of a series the mean of each step, with a band for the standard deviation; over a parameter that is a number, points with error bars; over two of them, a heat map; over others, bars. Parameters that look like a seed are averaged over, and those that remain get colours. The file holds the data and the command, with which --redo makes it again. PNG and PDF need rsvg-convert or Chromium.'
  static override examples = [
    '<%= config.bin %> plot digits -o history.svg',
    '<%= config.bin %> plot digits -x --lr -y acc --by --model -o acc.pdf --width 85',
    {
      description: 'A metric against another',
      command: '<%= config.bin %> plot 4 7 -x loss -y acc -o both.png',
    },
    { description: 'Again, from the present metrics', command: '<%= config.bin %> plot --redo acc.pdf' },
  ]
  static override strict = false
  static override args = {
    ...runsArguments,
    name: { ...runsArguments.name, required: false },
  }
  static override flags = {
    output: Flags.string({
      char: 'o',
      description: 'the file; the end of its name says the format: .svg, .png, .pdf, .html, or .vl.json for Vega-Lite',
      completes: 'files',
    }),
    x: Flags.string({
      char: 'x',
      description: 'the horizontal axis: a parameter, a metric, or step',
      completes: 'axes',
    }),
    y: Flags.string({
      char: 'y',
      description: 'the metric; acc:max is the largest value of a series',
      completes: 'metrics',
    }),
    by: Flags.string({
      description: 'the parameters that get colours, separated by commas (default: all that remain)',
      completes: 'parameters',
    }),
    over: Flags.string({
      description: 'average over these parameters (default: those that look like a seed)',
      completes: 'parameters',
    }),
    facet: Flags.string({ description: 'a plot for each value of this parameter', completes: 'parameters' }),
    log: Flags.string({
      options: ['x', 'y', 'xy', 'none'],
      description: 'axes that are logarithmic (default: that of a parameter whose values span two decades)',
    }),
    kind: Flags.string({ options: plotKinds, description: 'what is drawn, instead of what fits the data' }),
    width: Flags.integer({
      ...{ min: 40, max: 1000, default: usualWidth },
      description: 'in millimetres: 85 is one column of a paper, 178 are two',
    }),
    redo: Flags.string({
      description: 'make this file again from the present metrics of its runs',
      completes: 'files',
      exclusive: ['x', 'y', 'by', 'over', 'facet', 'log', 'kind', 'width'],
    }),
  }

  async run(): Promise<void> {
    const read = (words: string[]) => this.parse(PlotCommand, withOptionalValue(words, '--over', PlotCommand.flags))
    const typed = await read(this.argv)
    const { redo, output } = typed.flags
    if (redo !== undefined && typed.args.name !== undefined) {
      throw new UserError('plot: --redo takes the experiment from the file', `qanat plot --redo ${redo}`)
    }
    const workspace = await this.workspace()
    const { args, argv, flags } = redo === undefined ? typed : await read(commandIn(readFigure(workspace, redo), redo))
    const file = output ?? redo
    if (args.name === undefined) throw new UserError('plot: no experiment is given', 'qanat plot NAME -o FILE')
    if (file === undefined) throw new UserError('plot: no file is given', `qanat plot ${args.name} -o plot.svg`)
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const plotted = await drawFigure(workspace, name, runs, flags, file, this.config.version)
    this.say(plotText(file, plotted))
  }
}
