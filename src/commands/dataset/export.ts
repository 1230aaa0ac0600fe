import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { findDataset } from '../../operations/registry/find-experiment.js'
import { datasetToYaml } from '../../project/descriptions.js'

export default class DatasetExport extends QanatCommand {
  static override summary = "Print the YAML that 'dataset new -f' reads"
  static override examples = ['<%= config.bin %> dataset export iris']
  static override args = { name: Args.string({ required: true, description: 'the dataset', completes: 'datasets' }) }

  async run(): Promise<void> {
    const { args } = await this.parse(DatasetExport)
    this.print(datasetToYaml(findDataset(await this.workspace(), args.name)))
  }
}
