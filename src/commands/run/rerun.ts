import { runArguments, waitFlags, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { launchQuestions } from '../../cli/prompts.js'
import { rerun } from '../../operations/launch/rerun.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRerun extends QanatCommand {
  static override summary = 'Launch a run again as a new one: same groups, runner, template, container and commit'
  static override description =
    'The new run refers to the old one (rerun_of), and has neither its tags nor its description.'
  static override examples = ['<%= config.bin %> rerun 4', '<%= config.bin %> rerun latest --wait']
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = { ...waitFlags, yes: yesFlag }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRerun)
    const ask = this.jsonEnabled() ? null : launchQuestions(flags.yes)
    const run = await launchAndFollow(
      this.workspace(),
      async (workspace, interruption) => ({
        run: await rerun(workspace, findRun(workspace, args.name, args.run), ask, interruption),
      }),
      flags,
      this.output(),
    )
    return runJson(run)
  }
}
