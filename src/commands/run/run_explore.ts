import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { explore } from '../../cli/explore/explore.js'
import { runListFlags } from '../../cli/run-list.js'
import { UserError } from '../../errors.js'
import { findExperiment, isExperiment } from '../../operations/registry/find-experiment.js'
import { findRun } from '../../operations/runs/find-run.js'

export default class ExperimentRunExplore extends QanatCommand {
  static override summary = 'Browse runs and logs in the terminal'
  static override topics = ['browse']
  static override examples = [
    'qanat run_explore summary_iris',
    'qanat run_explore 1',
    "qanat run_explore classify_iris --sort -accuracy --where 'accuracy > 0.9'",
  ]
  static override args = {
    ...runArguments,
    name: { ...runArguments.name, shown: 'EXPERIMENT|RUN', description: 'an experiment, or the run to open' },
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
