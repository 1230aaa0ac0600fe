import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { writeReport } from '../../cli/results/report.js'
import { UserError } from '../../errors.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'

export default class Report extends QanatCommand {
  static override summary =
    'Write a report on runs: one page with the comparison, plots, failures, origins and all groups'
  static override description =
    'The page looks like those of `qanat view`, loads nothing from anywhere, and can be read without JavaScript, in the dark, on a phone, and on paper. It has at most 10 MB; it says what it leaves out. Parameters that look like a seed are averaged over.'
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
    over: Flags.string({
      description: 'average over these parameters (default: those that look like a seed)',
      completes: 'parameters',
    }),
    metrics: Flags.string({
      description: 'the metrics to compare and to draw, separated by commas',
      completes: 'metrics',
    }),
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
    this.say(`${output}: report on ${groups} group${groups === 1 ? '' : 's'}${remark}`)
  }
}
