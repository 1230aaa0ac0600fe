import { QanatCommand } from '../../cli/base-command.js'
import { listContexts } from '../../cli/contexts/connect.js'
import { contextsJson, contextsText } from '../../views/contexts.js'

export default class ContextList extends QanatCommand {
  static override summary = 'List the contexts: other machines where runs live'
  static override topics = ['contexts']
  static override examples = ['qanat context', 'qanat context list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(ContextList)
    const listed = await listContexts(await this.project())
    this.print(contextsText(this.screen, listed))
    return contextsJson(listed)
  }
}
