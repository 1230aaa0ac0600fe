import * as Args from '@oclif/core/args'
import { datasetArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { mayBeChanged, verifyData } from '../../operations/data/compare-data.js'
import { findRun } from '../../operations/runs/find-run.js'
import { comparedDataJson, comparedDataText } from '../../views/registry/data.js'

export default class DatasetVerify extends QanatCommand {
  static override summary = 'Check that a dataset is as a run read it'
  static override description =
    'The exit code is 1 if it is not. A file whose time alone differs is listed, but is no difference. Where contents were hashed (fingerprint: content, or auto with small data), the hashes decide. A file that was readable at only one of the two times counts as a difference.'
  static override topics = ['data', 'fingerprints']
  static override examples = ['qanat dataset verify iris', 'qanat dataset verify iris 1 --json']
  static override enableJsonFlag = true
  static override args = {
    name: datasetArgument,
    run: Args.string({
      description: 'the run; without it, the last one that read the dataset',
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
