import * as Flags from '@oclif/core/flags'
import { documentArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { saveDescription, updatedText } from '../../cli/questions/described.js'
import { askForDocument } from '../../cli/questions/document.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { changeDocument } from '../../operations/registry/register-document.js'
import { documentJson } from '../../views/json.js'

export default class DocumentUpdate extends QanatCommand {
  static override summary = 'Change a document'
  static override description = 'From a YAML file, or by answering questions.'
  static override topics = ['document-file']
  static override examples = ['qanat document update report -f report.yaml', 'qanat document update report']
  static override enableJsonFlag = true
  static override args = { name: documentArgument }
  static override flags = {
    file: Flags.string({
      char: 'f',
      description: 'YAML as for document new; a file without name, path or compile_script changes only its keys',
      completes: 'files',
    }),
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentUpdate)
    const workspace = await this.workspace()
    const known = findDocument(workspace, args.name)
    const document = await saveDescription('document', {
      file: flags.file,
      known,
      yes: flags.yes,
      ask: start => askForDocument(workspace, start, known.name),
      save: (wanted, file) => changeDocument(workspace, known.name, wanted, file),
    })
    this.say(updatedText('document', known.name, document.name, flags.file))
    return documentJson(findDocument(workspace, document.name))
  }
}
