import * as Args from '@oclif/core/args'
import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { mayBeChanged, verifyData } from '../../operations/data/compare-data.js'
import { findRun } from '../../operations/runs/find-run.js'
import { comparedDataJson, comparedDataText } from '../../views/registry/data.js'

export default class DatasetVerify extends QanatCommand {
  static override summary = 'Say whether a dataset is still as a run read it; the exit code is 1 if it is not'
  static override description =
    'Files that differ only in their time are named, but do not count as a difference; where contents were hashed (fingerprint: content, and auto for small data), these decide. A file that can no longer be looked at, or only now, counts as a difference.'
  static override examples = ['<%= config.bin %> dataset verify iris', '<%= config.bin %> dataset verify iris 4 --json']
  static override enableJsonFlag = true
  static override args = {
    name: datasetArgument,
    run: Args.string({
      description: 'the id of a run; without it the last one that read it',
      completes: 'dataset_runs',
    }),
  }

  async run(): Promise<unknown> {
    const { args } = await this.parse(DatasetVerify)
    const workspace = await this.workspace()
    const run = args.run === undefined ? null : findRun(workspace, args.run)
    const compared = await verifyData(workspace, args.name, run)
    this.print(comparedDataText(compared))
    if (mayBeChanged(compared)) process.exitCode = 1
    return comparedDataJson(compared)
  }
}
