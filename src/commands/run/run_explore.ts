import * as Args from '@oclif/core/args'
import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { explore } from '../../cli/explore/explore.js'
import { runListFlags } from '../../cli/run-list.js'
import { UserError } from '../../errors.js'
import { findExperiment, isExperiment } from '../../operations/registry/find-experiment.js'
import { findRun } from '../../operations/runs/find-run.js'

export default class ExperimentRunExplore extends QanatCommand {
  static override summary = 'Browse the runs of an experiment, their groups and their logs on one screen'
  static override examples = [
    '<%= config.bin %> run_explore summary_iris',
    '<%= config.bin %> run_explore 4',
    "<%= config.bin %> run_explore summary_iris --sort -acc --where 'acc > 0.9'",
  ]
  static override args = {
    ...runArguments,
    run: Args.string({ description: 'the id of a run, to open its page directly', completes: 'runs' }),
  }

  static override flags = { where: runListFlags.where, sort: runListFlags.sort }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExperimentRunExplore)
    const workspace = await this.workspace()
    const isWhole = args.run === undefined && isExperiment(workspace, args.name)
    const run = isWhole ? null : findRun(workspace, args.name, args.run)
    if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb') {
      throw new UserError(
        'run_explore needs a terminal',
        `qanat run_show ${run?.id ?? args.name}        shows a run without one`,
      )
    }
    const experiment = run?.experiment ?? findExperiment(workspace, args.name).name
    const words = [...(flags.where ?? []), ...(flags.sort === undefined ? [] : [`sort:${flags.sort}`])]
    process.exitCode = await explore(workspace, { experiment, run: run?.id ?? null, line: words.join(' ') })
  }
}
