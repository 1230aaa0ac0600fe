import * as Args from '@oclif/core/args'
import { documentArgument, experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { removeDependency } from '../../operations/documents/dependencies.js'
import { removedText } from '../../views/registry/document.js'

export default class DocumentDeleteDependency extends QanatCommand {
  static override summary = 'Remove a dependency from a document'
  static override description = 'Files that were copied for it are kept.'
  static override topics = ['documents']
  static override examples = [
    'qanat document delete_dependency report summary_iris',
    'qanat document delete_dependency report summary_iris bins.yaml',
  ]
  static override args = {
    name: documentArgument,
    experiment: experimentArgument,
    run_args_file: Args.string({
      description: "its parameter file, if there are several dependencies; '' for the one without",
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
