import * as Args from '@oclif/core/args'
import { fileFlag, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForDataset } from '../../cli/questions/dataset.js'
import { saveDescription } from '../../cli/questions/described.js'
import { addDataset } from '../../operations/registry/register.js'
import { datasetJson } from '../../views/json.js'

export default class DatasetNew extends QanatCommand {
  static override summary = 'Register a dataset'
  static override description = 'From a YAML file, or by answering questions.'
  static override topics = ['dataset-file', 'data']
  static override examples = [
    'qanat dataset new -f dataset.yaml',
    { description: 'By answering questions', command: 'qanat dataset new' },
  ]
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({ description: 'a YAML file with the keys of a dataset', completes: 'files' }),
  }
  static override flags = {
    file: fileFlag,
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetNew)
    const workspace = await this.workspace()
    const dataset = await saveDescription('dataset', {
      file: flags.file ?? args.file,
      known: null,
      yes: flags.yes,
      ask: known => askForDataset(workspace, known, null),
      save: (wanted, file) => addDataset(workspace, wanted, file),
    })
    this.say(`Dataset ${dataset.name} registered. Next: qanat experiment new`)
    return datasetJson(dataset)
  }
}
