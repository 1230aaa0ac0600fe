import { Args, runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { tagRun } from '../../operations/runs/mark-runs.js'

export default class ExperimentRunTag extends QanatCommand {
  static override summary = 'Add or remove tags'
  static override usage = 'RUN +TAG… -TAG… [OPTIONS]'
  static override topics = ['find-runs']
  static override examples = ['qanat run_tag 1 +paper', 'qanat run_tag 1 +final -draft']
  static override strict = false
  static override enableJsonFlag = true
  static override args = {
    ...runArguments,
    run: Args.string({ hidden: true, completes: 'runs_or_tag_changes' }),
    changes: Args.string({
      shown: '+TAG, -TAG',
      description: '+TAG adds a tag, -TAG removes it',
      completes: 'tag_changes',
    }),
  }

  async run(): Promise<unknown> {
    // A tag to remove begins with a dash, but is not an option.
    const words = this.argv.filter(word => word !== '--json' && word !== '--')
    await this.parse(ExperimentRunTag, words.slice(0, 1))
    const run = tagRun(await this.workspace(), words)
    this.say(`Run ${run.id}: ${run.tags.length > 0 ? run.tags.join(', ') : 'no tags'}`)
    return { id: run.id, tags: run.tags }
  }
}
