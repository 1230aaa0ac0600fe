import * as Args from '@oclif/core/args'
import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { compareRuns, verifyData } from '../../operations/data/compare-data.js'
import { findRun } from '../../operations/runs/find-run.js'
import { comparedDataJson, comparedDataText } from '../../views/registry/data.js'

export default class DatasetDiff extends QanatCommand {
  static override summary = 'Show which files of a dataset changed'
  static override description = 'Between a run and now, or between two runs.'
  static override topics = ['data']
  static override examples = ['qanat dataset diff iris 1', 'qanat dataset diff iris 1 2 --json']
  static override enableJsonFlag = true
  static override args = {
    name: datasetArgument,
    run: Args.string({ required: true, description: 'the run', completes: 'dataset_runs' }),
    other: Args.string({
      description: 'the other run; without it, the data of today',
      completes: 'dataset_runs',
    }),
  }

  async run(): Promise<unknown> {
    const { args } = await this.parse(DatasetDiff)
    const workspace = await this.workspace()
    const run = findRun(workspace, args.run)
    const compared =
      args.other === undefined
        ? await verifyData(workspace, args.name, run)
        : compareRuns(workspace, args.name, run, findRun(workspace, args.other))
    this.print(comparedDataText(compared))
    return comparedDataJson(compared)
  }
}
