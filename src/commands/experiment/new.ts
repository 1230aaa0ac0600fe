import { Args, Flags } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { askForExperiment } from '../../cli/prompts.js'
import { addExperiment } from '../../operations/registry/register.js'
import { readExperimentFile } from '../../project/descriptions.js'
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
    file: Flags.string({ char: 'f', description: 'the same file, as an option', completes: 'files' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentNew)
    const workspace = await this.workspace()
    const datasets = workspace.store.datasets.list().map(dataset => dataset.name)
    const file = flags.file ?? args.file
    const wanted = file ? readExperimentFile(file) : await askForExperiment({}, datasets)
    const experiment = addExperiment(workspace, wanted)
    this.print(`Experiment ${experiment.name} registered. Next: qanat run ${experiment.name}`)
    return experimentJson(experiment)
  }
}
