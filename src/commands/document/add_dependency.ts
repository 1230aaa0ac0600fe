import { Flags } from '@oclif/core'
import { documentArgument, experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { addTypedDependency } from '../../operations/documents/typed-dependency.js'
import { documentJson } from '../../views/json.js'

export default class DocumentAddDependency extends QanatCommand {
  static override summary = 'Add a dependency: files that a document needs from runs of an experiment'
  static override examples = [
    '<%= config.bin %> document add_dependency report summary_iris --file histograms.svg --action plot',
    {
      description: 'Files of a grid; if there is no such run yet, it is launched on Slurm',
      command:
        '<%= config.bin %> document add_dependency report train --run_args_file grid.yaml --file group_0/loss.svg --runner slurm --submit_template gpu',
    },
  ]
  static override enableJsonFlag = true
  static override args = {
    name: documentArgument,
    experiment: experimentArgument,
  }
  static override flags = {
    file: Flags.string({
      description: "path of a file in the run's folder (repeatable)",
      multiple: true,
      multipleNonGreedy: true,
      required: true,
    }),
    run_args_file: Flags.string({
      description: 'parameter file of the run, as for qanat run -f',
      completes: 'files',
    }),
    runner: Flags.string({
      description: 'runner on which a missing run is launched',
      default: 'local',
      completes: 'runners',
    }),
    submit_template: Flags.string({ description: 'submit template of that launch', completes: 'templates' }),
    n_threads: Flags.string({ description: 'at most N groups at a time' }),
    container: Flags.string({ description: 'container that the groups run in', completes: 'files' }),
    gpu: Flags.boolean({ description: 'make the GPUs available in the container' }),
    commit_sha: Flags.string({
      description: 'commit, tag or branch of the run (default: what is checked out)',
      completes: 'commits',
    }),
    action: Flags.string({ description: 'action to run before the files are copied' }),
    action_args: Flags.string({ description: 'arguments for the action, quoted as for a shell', default: '' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentAddDependency)
    const document = addTypedDependency(await this.workspace(), args.name, {
      experiment: args.experiment,
      runArgsFile: flags.run_args_file,
      runner: flags.runner,
      submitTemplate: flags.submit_template,
      slots: flags.n_threads,
      container: flags.container,
      gpu: flags.gpu === true,
      commitSha: flags.commit_sha,
      action: flags.action,
      actionArguments: flags.action_args,
      files: flags.file,
    })
    this.print(`Document ${document.name} depends on ${args.experiment}. Next: qanat document status ${document.name}`)
    return documentJson(document)
  }
}
