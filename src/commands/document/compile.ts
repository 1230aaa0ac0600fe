import * as Flags from '@oclif/core/flags'
import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { followCompilation } from '../../cli/follow/follow-compilation.js'
import { viewDocument } from '../../operations/documents/compile-document.js'
import { intactDocument } from '../../operations/registry/find-experiment.js'
import { documentJson } from '../../views/json.js'

export default class DocumentCompile extends QanatCommand {
  static override summary = 'Build a document from up-to-date results'
  static override description =
    'What is missing is launched, the files that the document uses are copied, and its compile script is called.'
  static override topics = ['documents']
  static override examples = [
    'qanat document compile report',
    'qanat document compile report --options "--draft" --view',
  ]
  static override enableJsonFlag = true
  static override args = { name: documentArgument }
  static override flags = {
    options: Flags.string({
      helpValue: '<arguments>',
      description: 'arguments of its script, as one word',
      default: '',
    }),
    force: Flags.boolean({ description: 'launch all of its runs anew, also those that are up to date' }),
    view: Flags.boolean({ description: 'open it afterwards' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentCompile)
    const workspace = await this.workspace()
    const found = intactDocument(workspace, args.name)
    const document = await followCompilation(
      workspace,
      found,
      flags.options,
      flags.force,
      this.output(),
      this.config.version,
    )
    const next = document.viewScript === '' ? '' : ` Next: qanat document view ${document.name}`
    this.say(`Document ${document.name} compiled.${next}`)
    if (flags.view) await viewDocument(workspace, document)
    return documentJson(document)
  }
}
