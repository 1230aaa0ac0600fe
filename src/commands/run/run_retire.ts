import { Args, Flags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { dependentsOf } from '../../operations/documents/run-dependents.js'
import { retireRuns } from '../../operations/runs/mark-runs.js'

export default class ExperimentRunRetire extends QanatCommand {
  static override summary = 'Let runs that were wrong count nowhere'
  static override description =
    'A retired run stays, with its files. No comparison, plot, report or document uses it any more, and what was made of it says so.'
  static override usage = 'RUN… [OPTIONS]'
  static override topics = ['find-runs', 'what-counts-in-a-mean']
  static override examples = [
    'qanat run_retire 1 -m "wrong labels"',
    'qanat run_retire 2-3',
    'qanat run_retire --undo 1',
  ]
  static override strict = false
  static override enableJsonFlag = true
  static override args = {
    runs: Args.string({ shown: 'RUN', required: true, description: 'runs: 4, 5-9, latest', completes: 'more_runs' }),
  }
  static override flags = {
    message: Flags.string({ char: 'm', helpValue: '<text>', description: 'why they are retired', exclusive: ['undo'] }),
    undo: Flags.boolean({ description: 'let them count again' }),
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(ExperimentRunRetire)
    const workspace = await this.workspace()
    const runs = retireRuns(workspace, argv as string[], flags.undo ? null : (flags.message ?? ''))
    for (const { id } of runs)
      this.say(flags.undo ? `Run ${id} counts again.` : `Run ${id} is retired, and counts nowhere.`)
    if (!flags.undo)
      for (const dependent of runs.flatMap(run => dependentsOf(workspace, run))) workspace.warn(dependent)
    return runs.map(({ id, retired }) => ({ id, retired: retired !== null }))
  }
}
