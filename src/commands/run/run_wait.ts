import { Flags, liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { awaitRun, withoutWorkers } from '../../cli/follow/follow-run.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { reportOutcome } from '../../cli/follow/report-outcome.js'
import { canAsk, confirm } from '../../cli/prompts.js'
import type { Run } from '../../domain/runs/run.js'
import { InterruptedError } from '../../errors.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { findRun } from '../../operations/runs/find-run.js'
import { resumeRun } from '../../operations/runs/resume-run.js'
import { runJson } from '../../views/json.js'
import { reviveQuestion } from '../../views/run.js'

export default class ExperimentRunWait extends QanatCommand {
  static override summary = 'Wait until a run ends; exit code 1 if it failed'
  static override description =
    'Ctrl-C stops waiting; the run goes on. If all workers of a run on this machine have died, as at a reboot, they are started again for the groups that have not begun, once you agree.'
  static override topics = ['exit-codes', 'scripts', 'slots']
  static override examples = [
    'qanat run_wait 1',
    'qanat run_wait latest',
    { description: 'Go on with a run after a reboot', command: 'qanat run_wait 1 --yes' },
  ]
  static override enableJsonFlag = true
  static override args = liveRunArguments
  static override flags = {
    yes: Flags.boolean({ char: 'y', description: 'start workers again without a question, if all have died' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunWait)
    const workspace = await this.workspace()
    const interruption = new Interruption(new InterruptedError())
    const revive = async (stuck: Run) => {
      const agrees = flags.yes || (!this.jsonEnabled() && canAsk() && (await confirm(reviveQuestion(stuck), false)))
      if (!agrees) throw withoutWorkers(stuck)
      return resumeRun(workspace, stuck)
    }
    const found = findRun(workspace, args.name, args.run)
    const run = await awaitRun(workspace, found, interruption.signal, revive).finally(() => interruption.close())
    reportOutcome(workspace, run, this.output())
    return runJson(run, mirrorOf(workspace, run))
  }
}
