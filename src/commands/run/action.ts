import { Args, Flags } from '@oclif/core'
import { experimentArgument, runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { splitActionLine } from '../../cli/parse/split-action-line.js'
import { UserError } from '../../errors.js'
import { isExperiment } from '../../operations/registry/find-experiment.js'
import { findRunOrGroup } from '../../operations/runs/find-run.js'
import { runAction } from '../../operations/runs/run-action.js'

export default class ExperimentAction extends QanatCommand {
  static override summary = 'Run an action of an experiment on one of its runs, or on one group'
  static override description =
    'The script gets the arguments unchanged, and --storage_path of the run or the group. If the script has changed since the commit of the run, the diff is shown.'
  static override usage = '[NAME] ACTION RUN [--group_no N] [ARGUMENTS OF THE ACTION]'
  static override examples = [
    '<%= config.bin %> action plot 4',
    '<%= config.bin %> action summary_iris plot latest --group_no 6 --format png',
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
    const workspace = await this.workspace()
    const { action, run: named, group, words } = splitActionLine(this.argv, word => isExperiment(workspace, word))
    if (action === undefined) throw new UserError('which action?', 'qanat action ACTION RUN')
    const found = findRunOrGroup(workspace, named[0]!, named[1])
    await runAction(workspace, found.run, { action, group: group ?? found.group, words })
  }
}
