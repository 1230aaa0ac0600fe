import { Args } from '@oclif/core'
import { fileFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askForExperiment } from '../../cli/prompts.js'
import { describedBy } from '../../operations/registry/descriptions.js'
import { addExperiment } from '../../operations/registry/register.js'
import { experimentJson } from '../../views/json.js'

export default class ExperimentNew extends QanatCommand {
  static override summary = 'Register an experiment, from a YAML file or by answering questions'
  static override examples = [
    '<%= config.bin %> experiment new -f experiment.yaml',
    { description: 'Answer questions instead', command: '<%= config.bin %> experiment new' },
  ]
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({
      description: 'YAML: name, description, path, executable, executable_command, tags, datasets, actions',
      completes: 'files',
    }),
  }
  static override flags = {
    file: fileFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentNew)
    const workspace = await this.workspace()
    const datasets = workspace.store.datasets.list().map(dataset => dataset.name)
    const wanted = await describedBy('experiment', flags.file ?? args.file, () => askForExperiment({}, datasets))
    const experiment = addExperiment(workspace, wanted)
    this.print(`Experiment ${experiment.name} registered. Next: qanat run ${experiment.name}`)
    return experimentJson(experiment)
  }
}
