import { csvFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listedDocumentJson } from '../../views/json.js'
import { documentList, documentsCsv } from '../../views/registry/document.js'

export default class DocumentList extends QanatCommand {
  static override summary = 'List the documents'
  static override examples = ['qanat document list', 'qanat document list --json']
  static override enableJsonFlag = true
  static override flags = { csv: csvFlag }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(DocumentList)
    const documents = this.store().documents.list()
    if (flags.csv) this.print(documentsCsv(documents))
    else this.print(documentList(await this.style(), documents))
    return { documents: documents.map(listedDocumentJson) }
  }
}
