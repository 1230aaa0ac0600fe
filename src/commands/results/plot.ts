import { Flags, option, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { commandOfFigure, drawFigure, drawLiveFigure } from '../../cli/results/figure.js'
import { filterFlags } from '../../cli/results/filters.js'
import { usualWidth } from '../../cli/results/make-product.js'
import { UserError } from '../../errors.js'
import { plotKinds } from '../../operations/results/plot/plot-experiment.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { plotText } from '../../views/results/plotted.js'

export default class PlotCommand extends QanatCommand {
  static override summary = 'Draw metrics'
  static override description = `What is drawn follows from the data:
  a metric with steps                a line of the means, with a band for the standard deviation
  over a parameter with numbers      points with error bars
  over two parameters with numbers   a heat map
  over other parameters              bars
  over another metric                a scatter plot
Groups that differ only in a seed are averaged. Other parameters get colours. The file holds its data and its command, so that --redo can make it again. PNG and PDF need rsvg-convert or Chromium.`
  static override usage = ['EXPERIMENT|RUN [RUN…] -o <file> [OPTIONS]', '--redo <file> [-o <file>]']
  static override topics = ['figures', 'metrics']
  static override examples = [
    'qanat plot classify_iris -o history.svg',
    'qanat plot classify_iris -x rate -y accuracy -o accuracy.svg --width 85',
    { description: 'A metric against another', command: 'qanat plot 2 -x loss -y accuracy -o both.svg' },
    { description: 'Curves of groups that still run', command: 'qanat plot classify_iris --live -o history.svg' },
    { description: 'The same plot with the metrics of today', command: 'qanat plot --redo accuracy.svg' },
  ]
  static override strict = false
  static override args = { ...runsArguments, name: { ...runsArguments.name, required: false } }
  static override flags = {
    ...filterFlags,
    output: Flags.string({
      char: 'o',
      description: 'the file: .svg, .png, .pdf, .html, or .vl.json for Vega-Lite',
      completes: 'files',
    }),
    x: Flags.string({
      char: 'x',
      description: 'the horizontal axis: a parameter, a metric, or step',
      completes: 'axes',
    }),
    y: Flags.string({
      char: 'y',
      helpValue: '<metric>',
      description: 'the metric; acc:max is the largest value of a metric with steps',
      completes: 'metrics',
    }),
    by: option('the parameters that get colours: lr,model (default: all others)', 'parameters'),
    over: option('average over these parameters (default: seeds)', 'parameters'),
    facet: Flags.string({
      description: 'one plot for each value of this parameter',
      completes: 'parameters',
      helpValue: '<parameter>',
    }),
    log: Flags.string({
      options: ['x', 'y', 'xy', 'none'],
      description: 'logarithmic axes (default: x if its values span two decades)',
    }),
    kind: Flags.string({
      options: plotKinds,
      helpValue: '<kind>',
      description: `what is drawn: ${plotKinds.join(', ')}`,
    }),
    width: Flags.integer({
      ...{ min: 40, max: 1000, default: usualWidth },
      helpValue: '<mm>',
      description: 'width in millimetres: 85 is one column of a paper, 178 are two',
    }),
    live: Flags.boolean({ description: 'draw it again as its groups go on, until the last one has ended, or Ctrl-C' }),
    redo: Flags.string({
      description: 'make this file again, with the metrics of today',
      completes: 'files',
      exclusive: ['live', 'x', 'y', 'by', 'over', 'facet', 'log', 'kind', 'width', ...Object.keys(filterFlags)],
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
    const { args, argv, flags } = redo === undefined ? typed : await read(commandOfFigure(workspace, redo))
    const file = output ?? redo
    if (args.name === undefined) throw new UserError('plot: no experiment is given', 'qanat plot NAME -o FILE')
    if (file === undefined) throw new UserError('plot: no file is given', `qanat plot ${args.name} -o plot.svg`)
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const { live: isLive, ...options } = flags
    if (isLive) {
      return drawLiveFigure(workspace, name, runs, options, file, this.config.version, drawn =>
        this.say(drawn instanceof UserError ? `${file}: nothing yet: ${drawn.message}` : plotText(file, drawn)),
      )
    }
    const plotted = await drawFigure(workspace, name, runs, options, file, this.config.version)
    this.say(plotText(file, plotted))
  }
}
