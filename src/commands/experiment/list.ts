import { QanatCommand } from '../../cli/base-command.js'
import { styleOf } from '../../views/format/style.js'
import { experimentSummaryJson } from '../../views/json.js'
import { experimentList } from '../../views/registry/experiment.js'

export default class ExperimentList extends QanatCommand {
  static override summary = 'List the experiments of the project'
  static override examples = ['<%= config.bin %> experiment list', '<%= config.bin %> experiment list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(ExperimentList)
    const summaries = this.store().experiments.list()
    this.print(experimentList(styleOf(process.stdout), summaries))
    return { experiments: summaries.map(experimentSummaryJson) }
  }
}
