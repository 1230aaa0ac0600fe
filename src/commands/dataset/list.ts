import { csvFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listedDatasetJson } from '../../views/json.js'
import { datasetList, datasetsCsv } from '../../views/registry/dataset.js'

export default class DatasetList extends QanatCommand {
  static override summary = 'List the datasets'
  static override examples = ['qanat dataset list', 'qanat dataset list --json']
  static override enableJsonFlag = true
  static override flags = { csv: csvFlag }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(DatasetList)
    const datasets = this.store().datasets.list()
    if (flags.csv) this.print(datasetsCsv(datasets))
    else this.print(datasetList(await this.style(), datasets))
    return { datasets: datasets.map(listedDatasetJson) }
  }
}
