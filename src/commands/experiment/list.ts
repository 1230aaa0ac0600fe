import { csvFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { experimentSummaryJson } from '../../views/json.js'
import { experimentList, experimentsCsv } from '../../views/registry/experiment.js'

export default class ExperimentList extends QanatCommand {
  static override summary = 'List the experiments'
  static override examples = ['qanat experiment list', 'qanat experiment list --json']
  static override enableJsonFlag = true
  static override flags = { csv: csvFlag }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(ExperimentList)
    const summaries = this.store().experiments.list()
    if (flags.csv) this.print(experimentsCsv(summaries))
    else this.print(experimentList(await this.style(), summaries))
    return { experiments: summaries.map(experimentSummaryJson) }
  }
}
