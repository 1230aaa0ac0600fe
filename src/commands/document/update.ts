import { Flags } from '@oclif/core'
import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForDocument } from '../../cli/prompts.js'
import { changeDocument } from '../../operations/documents/register-document.js'
import { describedBy } from '../../operations/registry/descriptions.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { documentJson } from '../../views/json.js'

export default class DocumentUpdate extends QanatCommand {
  static override summary = 'Change a document, from a YAML file or by answering questions'
  static override examples = [
    '<%= config.bin %> document update report -f report.yaml',
    '<%= config.bin %> document update report',
  ]
  static override enableJsonFlag = true
  static override args = { name: documentArgument }
  static override flags = {
    file: Flags.string({ char: 'f', description: 'YAML, as for document new', completes: 'files' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentUpdate)
    const workspace = await this.workspace()
    const known = findDocument(workspace, args.name)
    const wanted = await describedBy('document', flags.file, () => askForDocument(known))
    const document = changeDocument(workspace, args.name, wanted)
    this.print(`Document ${document.name} updated.`)
    return documentJson(findDocument(workspace, document.name))
  }
}
