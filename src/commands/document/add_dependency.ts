import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { missingRunFlags, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askAndAdd, chooseDocument } from '../../cli/questions/dependency.js'
import { addDependency } from '../../operations/documents/dependencies.js'
import { isWhole, readTyped } from '../../operations/documents/typed-dependency.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { documentJson } from '../../views/json.js'

export default class DocumentAddDependency extends QanatCommand {
  static override summary = 'Add results that a document needs'
  static override description =
    'Results are files, tables, plots or reports from runs of an experiment. You are asked for arguments that are missing.'
  static override topics = ['documents', 'document-file']
  static override examples = [
    "qanat document add_dependency report summary_iris '' histograms.svg --action plot",
    {
      description: 'Files of a grid, which runs on Slurm if it has not run yet',
      command: 'qanat document add_dependency report summary_iris grid.yaml group_0/summary.json --runner slurm',
    },
    {
      description: 'A table and a plot of the run',
      command:
        "qanat document add_dependency report classify_iris '' '{compare: table.tex, over: seed}' '{plot: accuracy.svg, y: accuracy}'",
    },
    { description: 'By answering questions', command: 'qanat document add_dependency report' },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: Args.string({ description: 'the document', completes: 'documents' }),
    experiment: Args.string({ description: 'the experiment', completes: 'experiments' }),
    run_args_file: Args.string({
      description: "parameter file of the run, as for qanat run -f; '' for no arguments",
      completes: 'files',
    }),
    files: Args.string({
      shown: 'FILE',
      description: "a file in the run's folder, or what is made of the run: '{plot: acc.svg, y: acc}'",
    }),
  }
  static override flags = {
    ...missingRunFlags,
    action: Flags.string({ helpValue: '<action>', description: 'action that makes the files' }),
    action_args: Flags.string({ helpValue: '<arguments>', description: 'its arguments, as one word', default: '' }),
    yes: yesFlag,
  }

  async run(): Promise<unknown> {
    const { args, argv, flags } = await this.parse(DocumentAddDependency)
    const workspace = await this.workspace()
    const typed = readTyped(workspace, {
      experiment: args.experiment,
      runArgsFile: args.run_args_file,
      files: argv.slice(3) as string[],
      runner: flags.runner,
      runnerParameters: flags.runner_params,
      container: flags.container,
      commitSha: flags.commit_sha,
      action: flags.action,
      actionArguments: flags.action_args,
    })
    const document = args.name === undefined ? await chooseDocument(workspace) : findDocument(workspace, args.name)
    const { name, dependencies } = isWhole(typed)
      ? addDependency(workspace, document.name, typed)
      : await askAndAdd(workspace, document, typed, flags.yes)
    this.say(`Document ${name} depends on ${dependencies.at(-1)!.experiment}. Next: qanat document status ${name}`)
    return documentJson(findDocument(workspace, name))
  }
}
