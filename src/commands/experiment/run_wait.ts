import { QanatCommand } from '../../cli/base-command.js'
import { barFollower } from '../../cli/followers.js'
import { Interruption } from '../../cli/interruption.js'
import { reportOutcome } from '../../cli/report-outcome.js'
import { runArguments } from '../../cli/run-arguments.js'
import { isSettled } from '../../domain/aggregate.js'
import { InterruptedError } from '../../errors.js'
import { findRun } from '../../operations/find-experiment.js'
import { waitRun } from '../../operations/wait-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunWait extends QanatCommand {
  static override summary = 'Wait until a run is over; exit 1 if not all of it finished'
  static override description = 'Ctrl-C ends the waiting, not the run.'
  static override examples = ['<%= config.bin %> run_wait summary_iris 4']
  static override enableJsonFlag = true
  static override args = runArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunWait)
    const workspace = await this.workspace()
    const bar = barFollower()
    const found = findRun(workspace, args.name, args.run)
    const left = new InterruptedError(
      `no longer waiting for run ${found.id}, which goes on`,
      `qanat run_cancel ${found.experiment} ${found.id}        ends it`,
    )
    const interruption = new Interruption(left)
    const run = await waitRun(workspace, found, current => bar.update(current), interruption.signal).finally(() =>
      bar.end(),
    )
    interruption.close()
    if (!isSettled(run)) throw left
    this.print(reportOutcome(workspace, run))
    return runJson(run)
  }
}
