import { Flags } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { followLaunch } from '../../cli/follow/follow-launch.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { runArguments } from '../../cli/run-arguments.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { InterruptedError, UserError } from '../../errors.js'
import { rerun } from '../../operations/launch/rerun.js'
import { findRun } from '../../operations/registry/find-experiment.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRerun extends QanatCommand {
  static override summary = 'Launch a run again as a new one: same groups, runner, template, container and commit'
  static override description = 'The new run keeps the tags of the old one, and gets the tag "rerun id RUN".'
  static override examples = ['<%= config.bin %> rerun summary_iris 4', '<%= config.bin %> rerun summary_iris 4 --wait']
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = {
    wait: Flags.boolean({ description: 'wait for the jobs of a scheduler' }),
    detach: Flags.boolean({ description: 'return at once', exclusive: ['wait'] }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRerun)
    if (flags.detach && flags.wait) throw new UserError('--detach and --wait contradict each other', 'give one of them')
    const workspace = await this.workspace()
    const interruption = new Interruption(new InterruptedError('interrupted; nothing was launched'))
    try {
      const run = await rerun(workspace, findRun(workspace, args.name, args.run), interruption.signal)
      return runJson(await followLaunch(workspace, run, totalOf(run.counts), flags, interruption, this.output()))
    } finally {
      interruption.close()
    }
  }
}
