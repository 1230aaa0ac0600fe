import { Args, Flags, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { diffRuns } from '../../operations/results/compare/diff-runs.js'
import { differenceJson, differenceText } from '../../views/results/difference.js'

export default class Diff extends QanatCommand {
  static override summary = 'Show what differs between two runs'
  static override description =
    'It compares parameters, code, data, environment, metrics and times. Metrics and times are means over the finished groups. For two groups, such as 4.1 and 4.7, use qanat compare.'
  static override topics = ['reproduce']
  static override examples = [
    'qanat diff 1 2',
    { description: 'With the diff of the code', command: 'qanat diff 1 latest --patch' },
  ]
  static override enableJsonFlag = true
  static override usage = 'RUN RUN [OPTIONS]'
  static override strict = false
  static override args = {
    name: { ...runsArguments.name, shown: 'RUN', description: 'two runs: 4 7, or 4 latest; EXPERIMENT 4 7 works, too' },
    runs: Args.string({ hidden: true, completes: 'more_runs' }),
  }
  static override flags = { patch: Flags.boolean({ description: 'also show the diff of the code' }) }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Diff)
    const difference = await diffRuns(await this.workspace(), argv as string[])
    this.print(differenceText(difference, flags.patch))
    return differenceJson(difference, flags.patch)
  }
}
