import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { diffRuns } from '../../operations/results/diff-runs.js'
import { differenceJson, differenceText } from '../../views/results/difference.js'

export default class Diff extends QanatCommand {
  static override summary = 'Show what differs between two runs: parameters, code, environment, metrics, time'
  static override description =
    'Of metrics and times, the means over the finished groups are shown. Two groups, as in 4.1 4.7, are compared by: qanat compare.'
  static override examples = [
    '<%= config.bin %> diff 4 7',
    { description: 'With the diff of the code', command: '<%= config.bin %> diff 4 latest --patch' },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: runsArguments.name,
    runs: Args.string({ description: 'the ids of two runs, or latest', completes: 'more_runs' }),
  }
  static override flags = {
    patch: Flags.boolean({ description: 'show the diff of the code, too' }),
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Diff)
    const difference = await diffRuns(await this.workspace(), argv as string[])
    this.print(differenceText(difference, flags.patch))
    return differenceJson(difference, flags.patch)
  }
}
