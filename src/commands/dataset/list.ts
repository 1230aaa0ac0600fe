import { listCommand } from '../../cli/registry/list.js'
import { listedDatasetJson } from '../../views/json.js'
import { datasetList, datasetsCsv } from '../../views/registry/dataset.js'

export default listCommand({
  kind: 'dataset',
  rows: store => store.datasets.list(),
  text: datasetList,
  csv: datasetsCsv,
  json: listedDatasetJson,
})
