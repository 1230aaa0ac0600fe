import { documentArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { removeDocument } from '../../operations/registry/register-document.js'

export default class DocumentDelete extends QanatCommand {
  static override summary = 'Remove a document from the project, keep its files'
  static override examples = ['qanat document delete report', 'qanat document delete report --yes']
  static override args = { name: documentArgument }
  static override flags = { yes: yesFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DocumentDelete)
    const workspace = await this.workspace()
    const { name, path } = findDocument(workspace, args.name)
    if (!(await confirm(`Delete document ${name}? Its files in ${path} are kept.`, flags.yes))) return this.say('Kept.')
    removeDocument(workspace, name)
    this.say(`Document ${name} deleted.`)
  }
}
