import { Flags } from '@oclif/core'
import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForDataset } from '../../cli/prompts.js'
import { describedBy } from '../../operations/registry/descriptions.js'
import { findDataset } from '../../operations/registry/find-experiment.js'
import { changeDataset } from '../../operations/registry/register.js'
import { datasetJson } from '../../views/json.js'

export default class DatasetUpdate extends QanatCommand {
  static override summary = 'Change a dataset, from a YAML file or by answering questions'
  static override examples = [
    '<%= config.bin %> dataset update iris -f dataset.yaml',
    '<%= config.bin %> dataset update iris',
  ]
  static override enableJsonFlag = true
  static override args = { name: datasetArgument }
  static override flags = {
    file: Flags.string({ char: 'f', description: 'YAML: name, description, path, tags', completes: 'files' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetUpdate)
    const workspace = await this.workspace()
    const known = findDataset(workspace, args.name)
    const wanted = await describedBy('dataset', flags.file, () => askForDataset(known))
    const dataset = changeDataset(workspace, args.name, wanted)
    this.print(`Dataset ${dataset.name} updated.`)
    return datasetJson(dataset)
  }
}
