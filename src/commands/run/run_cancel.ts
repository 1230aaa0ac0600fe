import { Flags, liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { giveUpRun } from '../../operations/runs/give-up-run.js'
import { runJson } from '../../views/json.js'
import { cancelText } from '../../views/run.js'

export default class ExperimentRunCancel extends QanatCommand {
  static override summary = 'Cancel the live groups of a run'
  static override description = 'Each group gets SIGTERM, and is killed if it has not ended after ten seconds.'
  static override topics = ['slurm']
  static override examples = ['qanat run_cancel latest']
  static override enableJsonFlag = true
  static override args = liveRunArguments
  static override flags = {
    give_up: Flags.boolean({ description: 'mark groups as lost whose machine will not come back' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunCancel)
    const workspace = await this.workspace()
    const found = findRun(workspace, args.name, args.run)
    const run = flags.give_up ? await giveUpRun(workspace, found) : await cancelRun(workspace, found)
    this.say(cancelText(this.screen, run))
    return runJson(run, mirrorOf(workspace, run))
  }
}
