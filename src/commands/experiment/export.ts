import { experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { descriptionOf } from '../../operations/registry/descriptions.js'

export default class ExperimentExport extends QanatCommand {
  static override summary = 'Print the YAML file of an experiment'
  static override description = "'qanat experiment new -f FILE' reads it."
  static override topics = ['experiment-file']
  static override examples = ['qanat experiment export summary_iris']
  static override args = {
    name: experimentArgument,
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ExperimentExport)
    this.print(descriptionOf(await this.workspace(), 'experiment', args.name))
  }
}
