import { Args } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { importContexts } from '../../operations/project/contexts.js'

export default class ContextImport extends QanatCommand {
  static override summary = 'Take over the contexts of mrunner'
  static override description =
    'Contexts that run on Slurm or Kubernetes are written to ~/.config/qanat/contexts.yaml, with their resources as the template default. What has no counterpart is named and left out. The file stays as it is.'
  static override topics = ['contexts']
  static override examples = ['qanat context import mrunner.yaml']
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({ required: true, description: 'the settings of mrunner', completes: 'files' }),
  }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ContextImport)
    const { added, notes } = await importContexts(await this.project(), args.file)
    for (const note of notes) showWarning(note)
    this.say(
      added.length > 0 ? `Added: ${added.join(', ')}. Try them: qanat context test NAME` : 'No context was added.',
    )
    return { added, left_out: notes }
  }
}
