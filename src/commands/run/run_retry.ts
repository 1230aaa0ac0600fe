import { endsFlag, Flags, runArguments, templateFlag, waitFlags, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { launchQuestions } from '../../cli/prompts.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunRetry extends QanatCommand {
  static override summary = 'Retry the groups that failed or were lost'
  static override description =
    "They run again inside the same run, at its commit. Their earlier files move to .run/attempts/ in the run's folder; with --resume only stdout and stderr move."
  static override topics = ['failed-runs']
  static override examples = [
    'qanat run_retry 3',
    {
      description: 'Only those that ran out of memory, with another submit template',
      command: 'qanat run_retry 3 --only oom --submit_template default',
    },
  ]
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = {
    only: endsFlag,
    submit_template: templateFlag,
    resume: Flags.boolean({
      description: 'keep the files of the groups, so that scripts continue from their checkpoints',
    }),
    ...waitFlags,
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRunRetry)
    const request = {
      only: flags.only?.split(',').map(word => word.trim()) ?? null,
      resume: flags.resume,
      submit_template: flags.submit_template,
    }
    const ask = this.jsonEnabled() ? null : launchQuestions(flags.yes)
    const run = await launchAndFollow(
      this.workspace(),
      (workspace, interruption) =>
        retryRun(workspace, findRun(workspace, args.name, args.run), request, ask, interruption),
      flags,
      this.output(),
    )
    return runJson(run, mirrorOf(await this.workspace(), run))
  }
}
