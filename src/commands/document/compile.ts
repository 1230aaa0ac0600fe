import * as Flags from '@oclif/core/flags'
import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { followCompilation } from '../../cli/follow/follow-compilation.js'
import { viewDocument } from '../../operations/documents/compile-document.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { documentJson } from '../../views/json.js'

export default class DocumentCompile extends QanatCommand {
  static override summary = 'Compile a document: launch missing runs, copy the files it uses, call its script'
  static override examples = [
    '<%= config.bin %> document compile report',
    '<%= config.bin %> document compile report --options "--draft" --view',
  ]
  static override enableJsonFlag = true
  static override args = { name: documentArgument }
  static override flags = {
    options: Flags.string({ description: 'arguments for its script, quoted as for a shell', default: '' }),
    view: Flags.boolean({ description: 'open it afterwards with its view script' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentCompile)
    const workspace = await this.workspace()
    const found = findDocument(workspace, args.name)
    const document = await followCompilation(workspace, found, flags.options, this.output(), this.config.version)
    const next = document.viewScript === '' ? '' : ` Next: qanat document view ${document.name}`
    this.say(`Document ${document.name} compiled.${next}`)
    if (flags.view) await viewDocument(workspace, document)
    return documentJson(document)
  }
}
