import { listCommand } from '../../cli/registry/list.js'
import { experimentSummaryJson } from '../../views/json.js'
import { experimentList, experimentsCsv } from '../../views/registry/experiment.js'

export default listCommand({
  kind: 'experiment',
  rows: store => store.experiments.list(),
  text: experimentList,
  csv: experimentsCsv,
  json: experimentSummaryJson,
})
