import { Args } from '@oclif/core'
import { experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { failureKinds } from '../../operations/results/failure-kinds.js'
import { failuresJson, failuresText } from '../../views/results/failures.js'

export default class FailuresCommand extends QanatCommand {
  static override summary = 'List why groups failed: those with the same cause and last line of stderr together'
  static override description =
    'Lines that differ only in numbers are the same. Without runs, all runs of the experiment count.'
  static override examples = ['<%= config.bin %> failures digits', '<%= config.bin %> failures digits 4']
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: experimentArgument,
    runs: Args.string({ description: 'ids of runs, and ranges such as 5-9', completes: 'runs' }),
  }

  async run(): Promise<unknown> {
    const { args, argv } = await this.parse(FailuresCommand)
    const failures = await failureKinds(await this.workspace(), args.name, argv.slice(1) as string[])
    this.print(failuresText(failures))
    return failuresJson(failures)
  }
}
