import { listCommand } from '../../cli/registry/list.js'
import { listedDocumentJson } from '../../views/json.js'
import { documentList, documentsCsv } from '../../views/registry/document.js'

export default listCommand({
  kind: 'document',
  rows: store => store.documents.list(),
  text: documentList,
  csv: documentsCsv,
  json: listedDocumentJson,
})
