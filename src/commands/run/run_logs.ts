import { Flags } from '@oclif/core'
import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { printLogs } from '../../cli/follow/follow-logs.js'
import { findRun } from '../../operations/runs/find-run.js'

export default class ExperimentRunLogs extends QanatCommand {
  static override summary = 'Print what the groups of a run wrote'
  static override examples = [
    '<%= config.bin %> run_logs summary_iris 4',
    '<%= config.bin %> run_logs summary_iris 4 --group 6 --stderr',
    {
      description: 'Go on printing until the run is over',
      command: '<%= config.bin %> run_logs summary_iris 4 --group 6 --follow',
    },
  ]
  static override args = runArguments
  static override flags = {
    group: Flags.string({ description: 'only that group', completes: 'groups' }),
    stderr: Flags.boolean({ description: 'what it wrote to stderr' }),
    scheduler_log: Flags.boolean({
      description:
        "the log of what ran the groups: Slurm's own of each job, HTCondor's event log, the local supervisor's",
    }),
    follow: Flags.boolean({ description: 'go on printing what is added, until the run is over' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentRunLogs)
    const workspace = await this.workspace()
    await printLogs(workspace, findRun(workspace, args.name, args.run), flags, flags.follow)
  }
}
