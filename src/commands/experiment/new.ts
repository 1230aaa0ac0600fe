import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { experiments } from '../../cli/questions/experiment.js'
import { describeScript } from '../../cli/questions/script.js'
import { newCommand } from '../../cli/registry/commands.js'
import { isScriptFile } from '../../operations/registry/script-file.js'
import { experimentJson } from '../../views/json.js'

const New = newCommand(experiments, {
  summary: 'Register an experiment',
  description:
    'From a script, which is read and not run, from a YAML file, or by answering questions. For a script, a YAML file is written beside it.',
  topics: ['experiment-file', 'existing-script'],
  examples: [
    { description: 'From what a script says of itself', command: 'qanat experiment new train.py' },
    'qanat experiment new -f experiment.yaml',
    { description: 'By answering questions', command: 'qanat experiment new' },
  ],
})

export default class ExperimentNew extends New {
  static override args = {
    file: Args.string({
      description: 'a script, or a YAML file with the keys of an experiment',
      completes: 'files',
    }),
  }
  static override flags = {
    ...New.flags,
    prompt: Flags.boolean({ char: 'p', description: 'ask; the answers start from the file' }),
  }

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentNew)
    const workspace = await this.workspace()
    const file = flags.file ?? args.file
    if (file === undefined || !isScriptFile(workspace, file)) return this.register(file, flags.yes, flags.prompt)
    const { experiment, text } = await describeScript(workspace, file, flags)
    this.say(text)
    return experimentJson(experiment)
  }
}
