import * as Args from '@oclif/core/args'
import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { tagRun } from '../../operations/runs/tag-run.js'

export default class ExperimentRunTag extends QanatCommand {
  static override summary = 'Add tags to a run or remove them'
  static override usage = '[NAME] RUN +TAG -TAG …'
  static override examples = ['<%= config.bin %> run_tag 4 +paper', '<%= config.bin %> run_tag 4 +final -draft']
  static override strict = false
  static override enableJsonFlag = true
  static override args = {
    ...runArguments,
    run: Args.string({ description: runArguments.run.description!, completes: 'runs_or_tag_changes' }),
    changes: Args.string({ description: '+TAG adds a tag, -TAG removes it', completes: 'tag_changes' }),
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
