import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { failureKinds } from '../../operations/results/failure-kinds.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { failuresJson, failuresText } from '../../views/results/failures.js'

export default class FailuresCommand extends QanatCommand {
  static override summary = 'List why groups failed: those with the same cause and last line of stderr together'
  static override description =
    'Lines that differ only in numbers are the same. Without runs, all runs of the experiment count.'
  static override examples = ['<%= config.bin %> failures digits', '<%= config.bin %> failures 4']
  static override enableJsonFlag = true
  static override strict = false
  static override args = runsArguments

  async run(): Promise<unknown> {
    const { argv } = await this.parse(FailuresCommand)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const failures = await failureKinds(workspace, name, runs)
    this.print(failuresText(failures))
    return failuresJson(failures)
  }
}
