import { Flags, groupArguments, option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { printLogs } from '../../cli/follow/follow-logs.js'
import { UserError } from '../../errors.js'
import { findRunOrGroup } from '../../operations/runs/find-run.js'

export default class ExperimentRunLogs extends QanatCommand {
  static override summary = 'Print the output of a run'
  static override topics = ['failed-runs']
  static override examples = [
    'qanat run_logs 1',
    'qanat run_logs 2.3 --stderr',
    { description: 'Keep printing until the run ends', command: 'qanat run_logs latest --follow' },
  ]
  static override args = groupArguments
  static override flags = {
    group: option('print only this group (same as RUN.GROUP)', 'groups'),
    stderr: Flags.boolean({ description: 'print stderr instead of stdout' }),
    scheduler_log: Flags.boolean({
      description:
        "print the runner's log: that of each job (Slurm), the event log (HTCondor), or that of the local pool",
    }),
    follow: Flags.boolean({ description: 'keep printing new lines until the run ends' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentRunLogs)
    const workspace = await this.workspace()
    const { run, group } = findRunOrGroup(workspace, args.name, args.run)
    if (group !== null && flags.group !== undefined) {
      throw new UserError('the group is given twice', `choose one of: ${run.id}.${group}, --group ${flags.group}`)
    }
    await printLogs(workspace, run, group === null ? flags : { ...flags, group }, flags.follow)
  }
}
