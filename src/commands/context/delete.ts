import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { deleteContext } from '../../operations/project/contexts.js'

export default class ContextDelete extends QanatCommand {
  static override summary = 'Delete a context; its machine stays as it is'
  static override topics = ['contexts']
  static override examples = ['qanat context delete hpc']
  static override args = { name: contextArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextDelete)
    await deleteContext(await this.project(), args.name)
    this.say(`Deleted the context ${args.name}. Nothing was changed where its runs live.`)
  }
}
