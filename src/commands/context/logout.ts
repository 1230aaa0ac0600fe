import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { logOut } from '../../cli/contexts/connect.js'
import { contextNamed } from '../../operations/project/contexts.js'

export default class ContextLogout extends QanatCommand {
  static override summary = 'Close a connection; the runs there go on'
  static override topics = ['contexts']
  static override examples = ['qanat context logout hpc']
  static override args = { name: contextArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextLogout)
    const wasOpen = await logOut(contextNamed(await this.project(), args.name))
    this.say(
      wasOpen
        ? `The connection to ${args.name} is closed. Its runs go on.`
        : `There was no connection to ${args.name}.`,
    )
  }
}
