import { Args } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { compareEnvironments } from '../../operations/environments/run-environments.js'
import { findRunOf } from '../../operations/runs/find-run.js'
import { currentRun } from '../../operations/runs/run-details.js'
import { comparedEnvironmentsJson, comparedEnvironmentsText } from '../../views/runs/environments.js'

const run = { required: true, completes: 'experiments_or_runs' } as const

export default class EnvDiff extends QanatCommand {
  static override summary = 'Compare the environments of two runs'
  static override topics = ['reproduce', 'environments']
  static override examples = ['qanat env diff 1 2', 'qanat env diff 1 latest --json']
  static override enableJsonFlag = true
  static override args = {
    one: Args.string({
      ...run,
      shown: 'RUN',
      description: 'the id of a run, latest, or an experiment for its last run',
    }),
    other: Args.string({ ...run, description: 'the run to compare with' }),
  }

  async run(): Promise<unknown> {
    const { args } = await this.parse(EnvDiff)
    const workspace = await this.workspace()
    const one = await currentRun(workspace, findRunOf(workspace, args.one))
    const other = await currentRun(workspace, findRunOf(workspace, args.other))
    const compared = await compareEnvironments(workspace, one, other)
    this.print(comparedEnvironmentsText(compared))
    return comparedEnvironmentsJson(compared)
  }
}
