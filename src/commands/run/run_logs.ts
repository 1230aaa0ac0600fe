import { setTimeout as sleep } from 'node:timers/promises'
import { Flags } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { Tail } from '../../cli/follow/tail.js'
import { runArguments } from '../../cli/run-arguments.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { logFiles } from '../../operations/runs/log-files.js'
import { refreshRun } from '../../operations/runs/refresh-runs.js'
import { runFolder } from '../../operations/runs/run-files.js'
import type { Workspace } from '../../operations/workspace.js'

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
    const run = findRun(workspace, args.name, args.run)
    runFolder(workspace, run)
    const files = await logFiles(workspace, run, flags)
    const headed = files.length > 1
    const tails = files.map(({ title, path }) => new Tail(path, process.stdout, headed ? `==> ${title} <==\n` : ''))
    for (const tail of tails) tail.pump()
    if (!flags.follow && tails.every(tail => tail.isEmpty))
      workspace.warn(
        `nothing is there yet: ${files
          .map(({ path }) => path)
          .slice(0, 3)
          .join(', ')}`,
      )
    if (flags.follow) await this.follow(workspace, run, tails)
  }

  private async follow(workspace: Workspace, run: Run, tails: readonly Tail[]): Promise<void> {
    let current = run
    while (!isOver(current.counts)) {
      await sleep(250)
      current = await refreshRun(workspace, current)
      for (const tail of tails) tail.pump()
    }
  }
}
