import { Flags } from '@oclif/core'
import { documentArgument, experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { removeDependency } from '../../operations/documents/register-document.js'
import { removedText } from '../../views/registry/dependency.js'

export default class DocumentDeleteDependency extends QanatCommand {
  static override summary = 'Remove a dependency from a document; exported files are kept'
  static override examples = [
    '<%= config.bin %> document delete_dependency report summary_iris',
    '<%= config.bin %> document delete_dependency report train --run_args_file grid.yaml',
  ]
  static override args = {
    name: documentArgument,
    experiment: experimentArgument,
  }
  static override flags = {
    run_args_file: Flags.string({
      description: "parameter file of the dependency, if there are several; '' for the one without",
      completes: 'files',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DocumentDeleteDependency)
    const workspace = await this.workspace()
    const removed = removeDependency(workspace, args.name, args.experiment, flags.run_args_file ?? null)
    this.print(removedText(args.name, removed))
  }
}
