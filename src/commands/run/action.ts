import { Args, argument, experimentArgument, Flags, option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { actHere } from '../../cli/follow/act-here.js'
import { splitActionLine } from '../../cli/parse/split-action-line.js'
import { UserError } from '../../errors.js'
import { listActions } from '../../operations/actions/list-actions.js'
import { readTargets } from '../../operations/actions/targets.js'
import { isExperiment } from '../../operations/registry/find-experiment.js'
import { findRunOf } from '../../operations/runs/find-run.js'
import { actionJson, actionsText, madeText } from '../../views/runs/actions.js'

export default class ExperimentAction extends QanatCommand {
  static override summary = 'Run a script on finished runs'
  static override description =
    "The script is an action of the experiment. It gets its arguments unchanged, and --storage_path of the run or the group. An action with 'runs: several' in its description takes several runs (3 5-9 11.2), and gets --storage_path of each; with 'runs: manifest' it gets --manifest with a JSON file that lists them. Words after -- name no run. Each call is recorded: who, when, which code, and which files it made. If the script has changed since the commit of a run, a line says so."
  static override usage = ['[NAME] ACTION RUN… [--group_no <n>] [ARGUMENTS OF THE ACTION]', '--list [RUN]']
  static override topics = ['actions']
  static override examples = ['qanat action plot 1', 'qanat action plot 4 --group_no 3', 'qanat action --list 1']
  static override strict = false
  static override passesOn = true
  static override enableJsonFlag = true
  static override args = {
    name: { ...experimentArgument, completes: 'actions_or_experiments' },
    action: Args.string({ required: true, description: 'the name of the action', completes: 'actions_or_runs' }),
    run: Args.string({ shown: 'RUN', description: 'runs or groups: 4, 5-9, 4.17, latest', completes: 'runs' }),
    arguments: argument('passed to the action unchanged', 'files'),
  }
  static override flags = {
    group_no: option('only this group of the run', 'groups'),
    list: Flags.boolean({ description: 'list the actions that were called, on a run or on all' }),
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
    this.print(actionsText(this.screen, actions, run))
    return { actions: actions.map(actionJson) }
  }
}
