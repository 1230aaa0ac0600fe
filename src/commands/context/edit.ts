import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { insistOnTerminal } from '../../cli/prompts.js'
import { editContext } from '../../operations/project/contexts.js'

export default class ContextEdit extends QanatCommand {
  static override summary = 'Edit your contexts, checked before saving'
  static override description =
    'An editor opens with ~/.config/qanat/contexts.yaml. Contexts of the project are edited with: qanat config edit'
  static override topics = ['contexts']
  static override examples = ['qanat context edit hpc']
  static override args = { name: contextArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextEdit)
    insistOnTerminal('edit ~/.config/qanat/contexts.yaml: the next command knows')
    const hasChanged = await editContext(await this.project(), args.name)
    this.say(hasChanged ? 'The contexts are changed.' : 'Nothing was changed.')
  }
}
