import { experimentArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { checkUnused, removeExperiment } from '../../operations/registry/register.js'

export default class ExperimentDelete extends QanatCommand {
  static override summary = 'Delete an experiment that has no runs'
  static override description = 'Runs in the trash count, too. The files of the experiment are kept.'
  static override examples = ['qanat experiment delete summary_iris', 'qanat experiment delete summary_iris --yes']
  static override args = {
    name: experimentArgument,
  }
  static override flags = { yes: yesFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentDelete)
    const workspace = await this.workspace()
    const { name } = args
    checkUnused(workspace, name)
    if (!(await confirm(`Delete experiment ${name}?`, flags.yes))) return this.say('Kept.')
    removeExperiment(workspace, name)
    this.say(`Experiment ${name} deleted.`)
  }
}
