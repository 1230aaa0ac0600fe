import { Flags } from '@oclif/core'
import { experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForExperiment } from '../../cli/prompts.js'
import { describedBy } from '../../operations/registry/descriptions.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { changeExperiment } from '../../operations/registry/register.js'
import { experimentJson } from '../../views/json.js'

export default class ExperimentUpdate extends QanatCommand {
  static override summary = 'Change an experiment, from a YAML file or by answering questions'
  static override description = 'Existing runs keep what they recorded.'
  static override examples = [
    '<%= config.bin %> experiment update summary_iris -f experiment.yaml',
    '<%= config.bin %> experiment update summary_iris',
  ]
  static override enableJsonFlag = true
  static override args = {
    name: experimentArgument,
  }
  static override flags = {
    file: Flags.string({ char: 'f', description: 'YAML as for experiment new', completes: 'files' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentUpdate)
    const workspace = await this.workspace()
    const known = findExperiment(workspace, args.name)
    const datasets = workspace.store.datasets.list().map(dataset => dataset.name)
    const wanted = await describedBy('experiment', flags.file, () => askForExperiment(known, datasets))
    const experiment = changeExperiment(workspace, args.name, wanted)
    this.print(`Experiment ${experiment.name} updated.`)
    return experimentJson(experiment)
  }
}
