import { Flags, runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { canAsk } from '../../cli/prompts.js'
import { UserError } from '../../errors.js'
import { addComment, editComment, findRunToComment } from '../../operations/runs/comment-run.js'

export default class ExperimentRunComment extends QanatCommand {
  static override summary = 'Write a comment on a run'
  static override description = "It is kept in comment.md in the run's folder."
  static override topics = ['find-runs']
  static override examples = ['qanat run_comment 1', 'qanat run_comment latest -m "seed 3 is an outlier"']
  static override args = runArguments
  static override flags = {
    message: Flags.string({ char: 'm', helpValue: '<text>', description: 'add this paragraph, without an editor' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentRunComment)
    const workspace = await this.workspace()
    const run = findRunToComment(workspace, args.name, args.run)
    if (flags.message !== undefined) await addComment(workspace, run, flags.message)
    else if (canAsk()) await editComment(workspace, run)
    else throw new UserError('there is no terminal for an editor', 'give the comment with -m TEXT')
    this.say(`${run.storagePath}/comment.md`)
  }
}
