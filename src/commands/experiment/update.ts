import * as Flags from '@oclif/core/flags'
import { experimentArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { saveDescription, updatedText } from '../../cli/questions/described.js'
import { askForExperiment } from '../../cli/questions/experiment.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { changeExperiment } from '../../operations/registry/register.js'
import { experimentJson } from '../../views/json.js'

export default class ExperimentUpdate extends QanatCommand {
  static override summary = 'Change an experiment'
  static override description = 'From a YAML file, or by answering questions. Existing runs keep what they recorded.'
  static override topics = ['experiment-file']
  static override examples = [
    'qanat experiment update summary_iris -f experiment.yaml',
    'qanat experiment update summary_iris',
  ]
  static override enableJsonFlag = true
  static override args = {
    name: experimentArgument,
  }
  static override flags = {
    file: Flags.string({
      char: 'f',
      description: 'YAML as for experiment new; a file without name or executable changes only its keys',
      completes: 'files',
    }),
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentUpdate)
    const workspace = await this.workspace()
    const known = findExperiment(workspace, args.name)
    const experiment = await saveDescription('experiment', {
      file: flags.file,
      known,
      yes: flags.yes,
      ask: start => askForExperiment(workspace, start, known.name),
      save: (wanted, file) => changeExperiment(workspace, known.name, wanted, file),
    })
    this.say(updatedText('experiment', known.name, experiment.name, flags.file))
    return experimentJson(experiment)
  }
}
