import { QanatCommand } from '../../cli/base-command.js'
import { styleOf } from '../../views/format/style.js'
import { datasetJson } from '../../views/json.js'
import { datasetList } from '../../views/registry/dataset.js'

export default class DatasetList extends QanatCommand {
  static override summary = 'List the datasets of the project'
  static override examples = ['<%= config.bin %> dataset list', '<%= config.bin %> dataset list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(DatasetList)
    const datasets = this.store().datasets.list()
    this.print(datasetList(styleOf(process.stdout), datasets))
    return { datasets: datasets.map(datasetJson) }
  }
}
