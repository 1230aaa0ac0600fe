import { liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { awaitRun } from '../../cli/follow/follow-run.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { reportOutcome } from '../../cli/follow/report-outcome.js'
import { InterruptedError } from '../../errors.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunWait extends QanatCommand {
  static override summary = 'Wait until a run ends; exit code 1 if it failed'
  static override description = 'Ctrl-C stops waiting; the run goes on.'
  static override topics = ['exit-codes', 'scripts']
  static override examples = ['qanat run_wait 1', 'qanat run_wait latest']
  static override enableJsonFlag = true
  static override args = liveRunArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunWait)
    const workspace = await this.workspace()
    const interruption = new Interruption(new InterruptedError())
    const run = await awaitRun(workspace, findRun(workspace, args.name, args.run), interruption.signal).finally(() =>
      interruption.close(),
    )
    reportOutcome(workspace, run, this.output())
    return runJson(run)
  }
}
