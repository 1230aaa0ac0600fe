import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { fileFlag, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { saveDescription } from '../../cli/questions/described.js'
import { askForExperiment } from '../../cli/questions/experiment.js'
import { describeScript } from '../../cli/questions/script.js'
import { addExperiment } from '../../operations/registry/register.js'
import { isScriptFile } from '../../operations/registry/script-file.js'
import { experimentJson } from '../../views/json.js'

export default class ExperimentNew extends QanatCommand {
  static override summary = 'Register an experiment'
  static override description =
    'From a script, which is read and not run, from a YAML file, or by answering questions. For a script, a YAML file is written beside it.'
  static override topics = ['experiment-file', 'existing-script']
  static override examples = [
    { description: 'From what a script says of itself', command: 'qanat experiment new train.py' },
    'qanat experiment new -f experiment.yaml',
    { description: 'By answering questions', command: 'qanat experiment new' },
  ]
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({
      description: 'a script, or a YAML file with the keys of an experiment',
      completes: 'files',
    }),
  }
  static override flags = {
    file: fileFlag,
    prompt: Flags.boolean({ char: 'p', description: 'ask; the answers start from the file' }),
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentNew)
    const workspace = await this.workspace()
    const file = flags.file ?? args.file
    if (file !== undefined && isScriptFile(workspace, file)) {
      const { experiment, text } = await describeScript(workspace, file, flags)
      this.say(text)
      return experimentJson(experiment)
    }
    const experiment = await saveDescription('experiment', {
      ...flags,
      file,
      known: null,
      ask: known => askForExperiment(workspace, known, null),
      save: (wanted, file) => addExperiment(workspace, wanted, file),
    })
    this.say(`Experiment ${experiment.name} registered. Next: qanat run ${experiment.name}`)
    return experimentJson(experiment)
  }
}
