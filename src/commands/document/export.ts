import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'

export default class DocumentExport extends QanatCommand {
  static override summary = "Print the YAML that 'document new -f' reads"
  static override examples = ['<%= config.bin %> document export report']
  static override args = { name: Args.string({ required: true, description: 'the document', completes: 'documents' }) }

  async run(): Promise<void> {
    const { args } = await this.parse(DocumentExport)
    this.print(descriptionOf(await this.workspace(), 'document', args.name))
  }
}
