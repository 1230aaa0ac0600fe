import * as Flags from '@oclif/core/flags'
import { runArguments, waitFlags, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { launchQuestions } from '../../cli/prompts.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunRetry extends QanatCommand {
  static override summary = 'Run the groups that did not finish again, inside the same run'
  static override description =
    `They run at the recorded commit. Their files move to .run/attempts/ in the run's folder; with --resume only stdout and stderr move, so that they can continue from their checkpoints.`
  static override examples = [
    '<%= config.bin %> run_retry 4',
    {
      description: 'Retry the groups that ran out of memory, with more memory',
      command: '<%= config.bin %> run_retry 7 --only oom --submit_template big_memory',
    },
  ]
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = {
    only: Flags.string({
      description:
        'only groups with these states or causes, separated by commas: failed (any cause), exit, signal, oom, timeout, node_fail, preempted, incomplete, launch, deadline, lost, vanished, never_started, cancelled, exit_0 (the scheduler says failed, but the script ended with code 0; not retried unless named)',
      completes: 'ends',
    }),
    submit_template: Flags.string({
      description:
        'submit template to use instead of the recorded one of the last launch; the same name uses it as it is now',
      completes: 'templates',
    }),
    resume: Flags.boolean({ description: 'leave the files of the groups where they are' }),
    ...waitFlags,
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunRetry)
    const request = {
      only: flags.only?.split(',').map(word => word.trim()) ?? null,
      submitTemplate: flags.submit_template ?? null,
      resume: flags.resume,
    }
    const ask = this.jsonEnabled() ? null : launchQuestions(flags.yes)
    const run = await launchAndFollow(
      this.workspace(),
      (workspace, interruption) =>
        retryRun(workspace, findRun(workspace, args.name, args.run), request, ask, interruption),
      flags,
      this.output(),
    )
    return runJson(run)
  }
}
