import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'

export default class DocumentExport extends QanatCommand {
  static override summary = 'Print the YAML file of a document'
  static override description = "'qanat document new -f FILE' reads it."
  static override topics = ['document-file']
  static override examples = ['qanat document export report']
  static override args = { name: documentArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(DocumentExport)
    this.print(descriptionOf(await this.workspace(), 'document', args.name))
  }
}
