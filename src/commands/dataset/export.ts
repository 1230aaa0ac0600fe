import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'

export default class DatasetExport extends QanatCommand {
  static override summary = "Print the YAML that 'dataset new -f' reads"
  static override examples = ['<%= config.bin %> dataset export iris']
  static override args = { name: datasetArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(DatasetExport)
    this.print(descriptionOf(await this.workspace(), 'dataset', args.name))
  }
}
