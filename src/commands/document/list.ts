import { QanatCommand } from '../../cli/base-command.js'
import { styleOf } from '../../views/format/style.js'
import { documentJson } from '../../views/json.js'
import { documentList } from '../../views/registry/document.js'

export default class DocumentList extends QanatCommand {
  static override summary = 'List the documents of the project'
  static override examples = ['<%= config.bin %> document list', '<%= config.bin %> document list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(DocumentList)
    const documents = this.store().documents.list()
    this.print(documentList(styleOf(process.stdout), documents))
    return { documents: documents.map(documentJson) }
  }
}
