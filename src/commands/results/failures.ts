import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { filterFlags, lookedAt } from '../../cli/results/filters.js'
import { failureKinds } from '../../operations/results/failure-kinds.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { failuresJson, failuresText } from '../../views/results/failures.js'

export default class FailuresCommand extends QanatCommand {
  static override summary = 'List failures, equal ones together'
  static override description =
    'Failures are equal if they have the same cause and, numbers aside, the same last line of stderr.'
  static override topics = ['failed-runs', 'statuses']
  static override examples = [
    'qanat failures summary_iris',
    'qanat failures 1',
    'qanat failures summary_iris --since 3d',
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = runsArguments
  static override flags = filterFlags

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(FailuresCommand)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const failures = await failureKinds(workspace, name, lookedAt(runs, flags))
    this.print(failuresText(failures))
    return failuresJson(failures)
  }
}
