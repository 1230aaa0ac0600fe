import { Args, Flags } from '@oclif/core'
import { experimentArgument, runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { splitActionLine } from '../../cli/parse/split-action-line.js'
import { UserError } from '../../errors.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runAction } from '../../operations/runs/run-action.js'

export default class ExperimentAction extends QanatCommand {
  static override summary = 'Run an action of an experiment on one of its runs, or on one group'
  static override description =
    'The script gets the arguments unchanged, and --storage_path of the run or the group. If the script has changed since the commit of the run, the diff is shown.'
  static override usage = 'NAME ACTION RUN [--group_no N] [ARGUMENTS OF THE ACTION]'
  static override examples = [
    '<%= config.bin %> action summary_iris plot 4',
    '<%= config.bin %> action summary_iris plot 4 --group_no 6 --format png',
  ]
  static override strict = false
  static override passesOn = true
  static override args = {
    name: experimentArgument,
    action: Args.string({ required: true, description: 'the action', completes: 'actions' }),
    run: runArguments.run,
    arguments: Args.string({ description: 'passed to the action unchanged', completes: 'files' }),
  }
  static override flags = { group_no: Flags.string({ description: 'only that group', completes: 'groups' }) }

  async run(): Promise<void> {
    this.parsed = true
    const { name, action, run: id, group, words } = splitActionLine(this.argv)
    if (id === undefined) throw new UserError('which run?', 'qanat action NAME ACTION RUN')
    const workspace = await this.workspace()
    await runAction(workspace, findRun(workspace, name!, id), { action: action!, group, words })
  }
}
