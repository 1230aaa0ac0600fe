import { Flags, option, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { filterFlags } from '../../cli/results/filters.js'
import { writeReport } from '../../cli/results/report.js'
import { UserError } from '../../errors.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { counted } from '../../views/format/counted.js'

export default class Report extends QanatCommand {
  static override summary = 'Write a page about runs (HTML)'
  static override description =
    'The page has the comparison, plots, failures, origins and all groups. It is one file of at most 10 MB, loads nothing from elsewhere, and says what it leaves out. Groups that differ only in a seed are averaged.'
  static override topics = ['figures']
  static override examples = [
    'qanat report classify_iris -o report.html',
    'qanat report classify_iris --over seed --metrics accuracy,loss -o report.html',
  ]
  static override strict = false
  static override args = runsArguments
  static override flags = {
    ...filterFlags,
    output: Flags.string({
      char: 'o',
      required: true,
      description: 'the file, such as report.html',
      completes: 'files',
    }),
    by: option('one row of the comparison for each combination of these parameters', 'parameters'),
    over: option('average over these parameters (default: seeds)', 'parameters'),
    metrics: option('compare and draw these metrics: acc,loss', 'metrics'),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Report, withOptionalValue(this.argv, '--over', Report.flags))
    const { output } = flags
    if (!/\.html?$/i.test(output))
      throw new UserError(`-o ${output}: a report is a page`, 'use a name that ends with .html')
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const { groups, leftOut } = await writeReport(workspace, name, runs, flags, output, this.config.version)
    const remark = leftOut > 0 ? `; ${leftOut} of them are not in its list, which would be too large` : ''
    this.say(`${output}: report on ${counted(groups, 'group')}${remark}`)
  }
}
