import { Flags } from '@oclif/core'
import { liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { giveUpRun } from '../../operations/runs/give-up-run.js'
import { styleOf } from '../../views/format/style.js'
import { runJson } from '../../views/json.js'
import { cancelText } from '../../views/run.js'

export default class ExperimentRunCancel extends QanatCommand {
  static override summary = 'End what lives of a run'
  static override description = 'Groups are told to end (SIGTERM) and have ten seconds for it.'
  static override examples = [
    '<%= config.bin %> run_cancel summary_iris 4',
    '<%= config.bin %> run_cancel summary_iris 4 --give_up',
  ]
  static override enableJsonFlag = true
  static override args = liveRunArguments
  static override flags = {
    give_up: Flags.boolean({ description: 'count what lives on a machine that is gone for good as lost' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunCancel)
    const workspace = await this.workspace()
    const found = findRun(workspace, args.name, args.run)
    const run = flags.give_up ? await giveUpRun(workspace, found) : await cancelRun(workspace, found)
    this.print(cancelText(styleOf(process.stdout), run))
    return runJson(run)
  }
}
