import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { experimentArgument, runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { actHere } from '../../cli/follow/act-here.js'
import { splitActionLine } from '../../cli/parse/split-action-line.js'
import { UserError } from '../../errors.js'
import { listActions } from '../../operations/actions/list-actions.js'
import { readTargets } from '../../operations/actions/targets.js'
import { isExperiment } from '../../operations/registry/find-experiment.js'
import { findRunOf } from '../../operations/runs/find-run.js'
import { styleOf } from '../../views/format/style.js'
import { actionJson, actionsText, madeText } from '../../views/runs/actions.js'

export default class ExperimentAction extends QanatCommand {
  static override summary = 'Run an action of an experiment on its runs, or on groups of them'
  static override description =
    "The script gets the arguments unchanged, and --storage_path of the run or the group. An action whose description says 'runs: several' can be called on several ones (3 5-9 11.2), and gets --storage_path of each; with 'runs: manifest' it gets --manifest of a JSON file that lists them. Words behind -- name no run. If the script has changed since the commit of a run, a line says so. Each call is recorded: who, when, which code, and which files it has made."
  static override usage = ['[NAME] ACTION RUN… [--group_no N] [ARGUMENTS OF THE ACTION]', '--list [RUN]']
  static override examples = [
    '<%= config.bin %> action plot 4',
    '<%= config.bin %> action summary_iris plot latest --group_no 6 --format png',
    '<%= config.bin %> action learning_curves 3 5-9 --title "Six runs"',
    '<%= config.bin %> action --list 4',
  ]
  static override strict = false
  static override passesOn = true
  static override enableJsonFlag = true
  static override args = {
    name: { ...experimentArgument, completes: 'actions_or_experiments' },
    action: Args.string({ required: true, description: 'the action', completes: 'actions_or_runs' }),
    run: runArguments.run,
    arguments: Args.string({ description: 'passed to the action unchanged', completes: 'files' }),
  }
  static override flags = {
    group_no: Flags.string({ description: 'only that group', completes: 'groups' }),
    list: Flags.boolean({
      description: 'list the actions that were called, on a run or on all; with --json for programs',
    }),
  }

  /** Before the name of the action, options are ours. */
  private readonly isList = /^(--json )?--list( |$)/.test(this.argv.join(' '))

  async run(): Promise<unknown> {
    if (this.isList) return this.list()
    this.parsed = true
    const workspace = await this.workspace()
    const { action, ...line } = splitActionLine(this.argv, word => isExperiment(workspace, word))
    const { targets, words } = readTargets(workspace, { action, ...line })
    const made = await actHere(workspace, targets, action, words)
    if (made.length > 0) this.logToStderr(madeText(made))
    return undefined
  }

  /** An option of the action may also be called --json. */
  override jsonEnabled(): boolean {
    return this.isList && super.jsonEnabled()
  }

  private async list(): Promise<unknown> {
    this.parsed = true
    const [first, second, more] = this.argv.filter(word => word !== '--list' && word !== '--json')
    const unknown = [first, second, more].find(word => word?.startsWith('-') || word === more)
    if (unknown !== undefined) {
      throw new UserError(`--list takes a run, and not ${unknown}`, 'qanat action --list RUN --json')
    }
    const workspace = await this.workspace()
    const run = first === undefined ? null : findRunOf(workspace, first, second)
    const actions = listActions(workspace, run)
    this.print(actionsText(styleOf(process.stdout), actions, run))
    return { actions: actions.map(actionJson) }
  }
}
