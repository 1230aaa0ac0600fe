import { Flags, repeatable, runArguments, templateFlag, waitFlags, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { launchQuestions } from '../../cli/prompts.js'
import { UserError } from '../../errors.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { rerun } from '../../operations/launch/rerun.js'
import { findRun } from '../../operations/runs/find-run.js'
import { keepVerification } from '../../operations/verify/keep-verification.js'
import { refuseUnverifiable, verifyRun } from '../../operations/verify/verify-run.js'
import { runJson } from '../../views/json.js'
import { verificationJson, verificationText } from '../../views/results/verified.js'

export default class ExperimentRerun extends QanatCommand {
  static override summary = 'Launch a run again, as a new run'
  static override description =
    "The new run has the same groups, runner, template, container and commit. It refers to the old one (rerun_of), and has neither its tags nor its description. With --verify, the files and metrics of both are compared at the end; the exit code is 1 if any differs. Paths of the group's own folder may differ inside text files."
  static override topics = ['reproduce']
  static override examples = [
    'qanat rerun 1',
    'qanat rerun latest --wait',
    {
      description: 'Check that it gives the same results, apart from rounding and logs',
      command: "qanat rerun --verify 1 --rtol 1e-6 --ignore '*.log'",
    },
  ]
  static override enableJsonFlag = true
  static override args = runArguments
  static override flags = {
    submit_template: templateFlag,
    ...waitFlags,
    yes: yesFlag,
    verify: Flags.boolean({
      description: 'wait, then compare the files and metrics of both runs',
      exclusive: ['detach'],
    }),
    rtol: Flags.string({
      helpValue: '<tolerance>',
      description: 'relative tolerance for numbers, such as 1e-6',
      dependsOn: ['verify'],
    }),
    ignore: repeatable('do not compare these files; a pattern as in .gitignore', {
      helpValue: '<pattern>',
      dependsOn: ['verify'],
    }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentRerun)
    const rtol = tolerance(flags.rtol)
    const ask = this.jsonEnabled() ? null : launchQuestions(flags.yes)
    const run = await launchAndFollow(
      this.workspace(),
      async (workspace, interruption) => {
        const first = findRun(workspace, args.name, args.run)
        if (flags.verify) refuseUnverifiable(workspace, first)
        return { run: await rerun(workspace, first, flags, ask, interruption) }
      },
      { ...flags, wait: flags.wait || flags.verify },
      this.output(),
    )
    if (!flags.verify) return runJson(run, mirrorOf(await this.workspace(), run))
    const workspace = await this.workspace()
    const request = { rtol, ignore: flags.ignore ?? [] }
    const verification = await verifyRun(workspace, workspace.store.runs.get(run.rerunOf!), run, request)
    keepVerification(workspace, verification, request)
    process.exitCode = verification.isReproduced ? 0 : 1
    this.print(verificationText(verification))
    return { ...runJson(run, mirrorOf(workspace, run)), verify: verificationJson(verification) }
  }
}

/** @throws UserError for anything but a number that is not negative */
function tolerance(text = '0'): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value < 1) return value
  throw new UserError(`--rtol ${text}: a tolerance is a number from 0 to 1`, 'for example: --rtol 1e-6')
}
