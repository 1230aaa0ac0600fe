import * as Args from '@oclif/core/args'
import { documentArgument, experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { removeDependency } from '../../operations/documents/register-document.js'
import { removedText } from '../../views/registry/dependency.js'

export default class DocumentDeleteDependency extends QanatCommand {
  static override summary = 'Remove a dependency from a document; exported files are kept'
  static override examples = [
    '<%= config.bin %> document delete_dependency report summary_iris',
    '<%= config.bin %> document delete_dependency report train grid.yaml',
  ]
  static override args = {
    name: documentArgument,
    experiment: experimentArgument,
    run_args_file: Args.string({
      description: "parameter file of the dependency, if there are several; '' for the one without",
      completes: 'files',
    }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(DocumentDeleteDependency)
    const workspace = await this.workspace()
    const removed = removeDependency(workspace, args.name, args.experiment, args.run_args_file ?? null)
    this.say(removedText(args.name, removed))
  }
}
