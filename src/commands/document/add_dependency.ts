import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { askAndAdd, chooseDocument } from '../../cli/questions/dependency.js'
import { addDependency } from '../../operations/documents/register-document.js'
import { isWhole, readTyped } from '../../operations/documents/typed-dependency.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { documentJson } from '../../views/json.js'

export default class DocumentAddDependency extends QanatCommand {
  static override summary =
    'Add a dependency: files, tables, plots or reports that a document needs from runs of an experiment'
  static override description = 'Asks for the arguments that are missing.'
  static override examples = [
    "<%= config.bin %> document add_dependency report summary_iris '' histograms.svg --action plot",
    {
      description: 'Files of a grid; if there is no such run yet, it is launched on Slurm',
      command:
        '<%= config.bin %> document add_dependency report train grid.yaml group_0/loss.svg group_1/loss.svg --runner slurm --runner_params "--submit_template gpu"',
    },
    {
      description: 'A table and a plot of the run',
      command:
        "<%= config.bin %> document add_dependency report digits grid.yaml '{compare: table.tex, over: seed}' '{plot: acc.svg, y: acc}'",
    },
    { description: 'Answer questions instead', command: '<%= config.bin %> document add_dependency report' },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: Args.string({ description: 'the document', completes: 'documents' }),
    experiment: Args.string({ description: 'the experiment', completes: 'experiments' }),
    run_args_file: Args.string({
      description: "parameter file of the run, as for qanat run -f; '' for a run without arguments",
      completes: 'files',
    }),
    files: Args.string({
      description: "paths of files in the run's folder; or what is made of the run, as in '{plot: acc.svg, y: acc}'",
    }),
  }
  static override flags = {
    runner: Flags.string({
      description: 'runner on which a missing run is launched',
      default: 'local',
      completes: 'runners',
    }),
    runner_params: Flags.string({
      description: 'options of that launch, quoted as for a shell: --submit_template, --n_threads, --gpu',
      default: '',
    }),
    container: Flags.string({ description: 'container that the groups run in', completes: 'files' }),
    commit_sha: Flags.string({
      description: 'commit, tag or branch of the run (default: what is checked out)',
      completes: 'commits',
    }),
    action: Flags.string({ description: 'action to run before the files are copied' }),
    action_args: Flags.string({ description: 'arguments for the action, quoted as for a shell', default: '' }),
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
