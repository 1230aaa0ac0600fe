import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'

export default class DatasetExport extends QanatCommand {
  static override summary = 'Print the YAML file of a dataset'
  static override description = "'qanat dataset new -f FILE' reads it."
  static override topics = ['dataset-file']
  static override examples = ['qanat dataset export iris']
  static override args = { name: datasetArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(DatasetExport)
    this.print(descriptionOf(await this.workspace(), 'dataset', args.name))
  }
}
