import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { documentToYaml } from '../../project/document-description.js'

export default class DocumentExport extends QanatCommand {
  static override summary = "Print the YAML that 'document new -f' reads"
  static override examples = ['<%= config.bin %> document export report']
  static override args = { name: Args.string({ required: true, description: 'the document', completes: 'documents' }) }

  async run(): Promise<void> {
    const { args } = await this.parse(DocumentExport)
    this.print(documentToYaml(findDocument(await this.workspace(), args.name)))
  }
}
