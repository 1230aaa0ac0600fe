import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { viewDocument } from '../../operations/documents/compile-document.js'
import { findDocument } from '../../operations/registry/find-experiment.js'

export default class DocumentView extends QanatCommand {
  static override summary = 'Open a document'
  static override description = 'Its view script is called.'
  static override topics = ['documents']
  static override examples = ['qanat document view report']
  static override args = { name: documentArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(DocumentView)
    const workspace = await this.workspace()
    await viewDocument(workspace, findDocument(workspace, args.name))
  }
}
