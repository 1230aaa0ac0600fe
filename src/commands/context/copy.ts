import { Args, contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { copyContext } from '../../operations/project/contexts.js'

export default class ContextCopy extends QanatCommand {
  static override summary = 'Add a context that is like another one'
  static override description =
    'The copy is written to ~/.config/qanat/contexts.yaml, for all your projects; it has the keys of all files that say something of the context.'
  static override topics = ['contexts']
  static override examples = ['qanat context copy hpc hpc_long']
  static override args = {
    name: contextArgument,
    copy: Args.string({ required: true, description: 'the name of the new context' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextCopy)
    await copyContext(await this.project(), args.name, args.copy)
    this.say(`Added the context ${args.copy}. To change it: qanat context edit ${args.copy}`)
  }
}
