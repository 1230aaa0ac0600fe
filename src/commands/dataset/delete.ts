import { datasetArgument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { checkUnread, removeDataset } from '../../operations/registry/register.js'

export default class DatasetDelete extends QanatCommand {
  static override summary = 'Remove a dataset from the project, keep its files'
  static override examples = ['qanat dataset delete iris', 'qanat dataset delete iris --yes']
  static override args = { name: datasetArgument }
  static override flags = { yes: yesFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DatasetDelete)
    const workspace = await this.workspace()
    const { name, path } = checkUnread(workspace, args.name)
    if (!(await confirm(`Delete dataset ${name}? Its files in ${path} are kept.`, flags.yes))) return this.say('Kept.')
    removeDataset(workspace, name)
    this.say(`Dataset ${name} deleted.`)
  }
}
