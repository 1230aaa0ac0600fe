import { Flags } from '@oclif/core'
import { runArguments, waitFlags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunRetry extends QanatCommand {
  static override summary = 'Run the groups of a run that did not finish again, inside the same run'
  static override description =
    `They run at the recorded commit. What they have made moves to .run/attempts/ in the run's folder; with --resume only what they have printed does, so that they can go on from their checkpoints.`
  static override examples = [
    '<%= config.bin %> run_retry summary_iris 4',
    {
      description: 'Those that ran out of memory, with more of it',
      command: '<%= config.bin %> run_retry summary_iris 7 --only oom --submit_template big_memory',
    },
  ]
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = {
    only: Flags.string({
      description:
        'only groups that ended so: failed (any cause), exit, signal, oom, timeout, node_fail, preempted, launch, deadline, lost, cancelled, exit_0 (failed for the scheduler, but the script ended with code 0: otherwise left alone); several with commas',
      completes: 'ends',
    }),
    submit_template: Flags.string({
      description: 'another submit template than the last launch had; also the same, as it is by now',
      completes: 'templates',
    }),
    resume: Flags.boolean({ description: 'leave what the groups have made where it is' }),
    ...waitFlags,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunRetry)
    const request = {
      only: flags.only?.split(',').map(word => word.trim()) ?? null,
      submitTemplate: flags.submit_template ?? null,
      resume: flags.resume,
    }
    const run = await launchAndFollow(
      this.workspace(),
      (workspace, interruption) => retryRun(workspace, findRun(workspace, args.name, args.run), request, interruption),
      flags,
      this.output(),
    )
    return runJson(run)
  }
}
