import { experimentArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { removeExperiment } from '../../operations/registry/register.js'

export default class ExperimentDelete extends QanatCommand {
  static override summary = 'Delete an experiment that has no runs; its files are kept'
  static override examples = [
    '<%= config.bin %> experiment delete summary_iris',
    '<%= config.bin %> experiment delete summary_iris --yes',
  ]
  static override args = {
    name: experimentArgument,
  }
  static override flags = { yes: yesFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentDelete)
    const workspace = await this.workspace()
    const { name } = findExperiment(workspace, args.name)
    const deleted = workspace.store.runs.deleted().filter(run => run.experiment === name).length
    const trash = deleted > 0 ? ` Its runs in the trash (${deleted}) will be removed for good.` : ''
    if (!(await confirm(`Delete experiment ${name}?${trash}`, flags.yes))) return this.say('Kept.')
    await removeExperiment(workspace, name)
    this.say(`Experiment ${name} deleted.`)
  }
}
