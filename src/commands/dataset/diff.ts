import * as Args from '@oclif/core/args'
import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { compareRuns, verifyData } from '../../operations/data/compare-data.js'
import { findRun } from '../../operations/runs/find-run.js'
import { comparedDataJson, comparedDataText } from '../../views/registry/data.js'

export default class DatasetDiff extends QanatCommand {
  static override summary = 'Show which files of a dataset differ between a run and now, or between two runs'
  static override examples = ['<%= config.bin %> dataset diff iris 4', '<%= config.bin %> dataset diff iris 4 9 --json']
  static override enableJsonFlag = true
  static override args = {
    name: datasetArgument,
    run: Args.string({ required: true, description: 'the id of a run', completes: 'dataset_runs' }),
    other: Args.string({
      description: 'the id of another run; without it the data as they are now',
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
