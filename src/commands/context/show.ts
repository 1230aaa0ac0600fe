import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { shownPlace } from '../../cli/contexts/connect.js'
import { contextNamed } from '../../operations/project/contexts.js'
import { shownContext } from '../../views/contexts.js'

export default class ContextShow extends QanatCommand {
  static override summary = 'Show a context'
  static override topics = ['contexts']
  static override examples = ['qanat context show hpc']
  static override enableJsonFlag = true
  static override args = { name: contextArgument }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ContextShow)
    const context = contextNamed(await this.project(), args.name)
    this.print(shownContext(shownPlace(context)))
    return context
  }
}
