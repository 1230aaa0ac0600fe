import * as Args from '@oclif/core/args'
import { fileFlag, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { saveDescription } from '../../cli/questions/described.js'
import { askForDocument } from '../../cli/questions/document.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { addDocument } from '../../operations/registry/register-document.js'
import { documentJson } from '../../views/json.js'

export default class DocumentNew extends QanatCommand {
  static override summary = 'Register a document'
  static override description = 'From a YAML file, or by answering questions.'
  static override topics = ['document-file', 'documents']
  static override examples = [
    'qanat document new -f report.yaml',
    { description: 'By answering questions', command: 'qanat document new' },
  ]
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({ description: 'a YAML file with the keys of a document', completes: 'files' }),
  }
  static override flags = {
    file: fileFlag,
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentNew)
    const workspace = await this.workspace()
    const document = await saveDescription('document', {
      file: flags.file ?? args.file,
      known: null,
      yes: flags.yes,
      ask: known => askForDocument(workspace, known, null),
      save: (wanted, file) => addDocument(workspace, wanted, file),
    })
    const next = document.dependencies.length > 0 ? `compile ${document.name}` : `add_dependency ${document.name}`
    this.say(`Document ${document.name} registered. Next: qanat document ${next}`)
    return documentJson(findDocument(workspace, document.name))
  }
}
