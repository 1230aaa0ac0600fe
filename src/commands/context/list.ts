import { QanatCommand } from '../../cli/base-command.js'
import { contextStates } from '../../cli/contexts/connect.js'
import { contextJson, contextTable } from '../../views/contexts.js'

export default class ContextList extends QanatCommand {
  static override summary = 'List the contexts: other machines where runs live'
  static override topics = ['contexts']
  static override examples = ['qanat context', 'qanat context list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(ContextList)
    const contexts = await contextStates(await this.project())
    this.print(contextTable(this.screen, contexts))
    return { contexts: contexts.map(contextJson) }
  }
}
