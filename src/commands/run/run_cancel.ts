import { liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { styleOf } from '../../views/format/style.js'
import { runJson } from '../../views/json.js'
import { cancelText } from '../../views/run.js'

export default class ExperimentRunCancel extends QanatCommand {
  static override summary = 'End what lives of a run'
  static override description = 'Groups are told to end (SIGTERM) and have ten seconds for it.'
  static override examples = ['<%= config.bin %> run_cancel summary_iris 4']
  static override enableJsonFlag = true
  static override args = liveRunArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunCancel)
    const workspace = await this.workspace()
    const run = await cancelRun(workspace, findRun(workspace, args.name, args.run))
    this.print(cancelText(styleOf(process.stdout), run))
    return runJson(run)
  }
}
