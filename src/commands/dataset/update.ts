import * as Flags from '@oclif/core/flags'
import { datasetArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForDataset } from '../../cli/questions/dataset.js'
import { saveDescription, updatedText } from '../../cli/questions/described.js'
import { findDataset } from '../../operations/registry/find-experiment.js'
import { changeDataset } from '../../operations/registry/register.js'
import { datasetJson } from '../../views/json.js'

export default class DatasetUpdate extends QanatCommand {
  static override summary = 'Change a dataset'
  static override description = 'From a YAML file, or by answering questions.'
  static override topics = ['dataset-file']
  static override examples = ['qanat dataset update iris -f dataset.yaml', 'qanat dataset update iris']
  static override enableJsonFlag = true
  static override args = { name: datasetArgument }
  static override flags = {
    file: Flags.string({
      char: 'f',
      description: 'YAML as for dataset new; a file without name or path changes only its keys',
      completes: 'files',
    }),
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetUpdate)
    const workspace = await this.workspace()
    const known = findDataset(workspace, args.name)
    const dataset = await saveDescription('dataset', {
      file: flags.file,
      known,
      yes: flags.yes,
      ask: start => askForDataset(workspace, start, known.name),
      save: (wanted, file) => changeDataset(workspace, known.name, wanted, file),
    })
    this.say(updatedText('dataset', known.name, dataset.name, flags.file))
    return datasetJson(dataset)
  }
}
