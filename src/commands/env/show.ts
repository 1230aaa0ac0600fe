import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { runEnvironments } from '../../operations/environments/run-environments.js'
import { findRunOf } from '../../operations/runs/find-run.js'
import { currentRun } from '../../operations/runs/run-details.js'
import { environmentsJson, environmentsText } from '../../views/runs/environments.js'

export default class EnvShow extends QanatCommand {
  static override summary = 'Show the environment in which a run ran'
  static override description =
    'Interpreter, packages, modules, system, processors and GPUs are recorded for each launch and host, while the first group runs.'
  static override topics = ['reproduce', 'environments']
  static override examples = ['qanat env show 1', 'qanat env show summary_iris --json']
  static override enableJsonFlag = true
  static override args = runArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(EnvShow)
    const workspace = await this.workspace()
    const run = await currentRun(workspace, findRunOf(workspace, args.name, args.run))
    const environments = await runEnvironments(workspace, run)
    this.print(environmentsText(run, environments))
    return environmentsJson(run, environments)
  }
}
