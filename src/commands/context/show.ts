import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { contextContents } from '../../operations/project/context-contents.js'
import { contextNamed } from '../../operations/project/contexts.js'
import { contentsJson, shownContext } from '../../views/contexts.js'

export default class ContextShow extends QanatCommand {
  static override summary = 'Show a context, and what lies there'
  static override description =
    'What the runs of this project have in the context, with sizes if there is a connection, and when it goes.'
  static override topics = ['contexts']
  static override examples = ['qanat context show hpc']
  static override enableJsonFlag = true
  static override args = { name: contextArgument }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ContextShow)
    const context = contextNamed(await this.project(), args.name)
    const contents = await contextContents(await this.workspace(args.name))
    this.print(shownContext(this.screen, context.file, contents))
    return { ...context, ...contentsJson(contents) }
  }
}
