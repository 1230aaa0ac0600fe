import { documentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { asFarAsStored } from '../../operations/as-far-as-stored.js'
import { documentStatus } from '../../operations/documents/document-status.js'
import { warnOfFormerExports } from '../../operations/documents/former-exports.js'
import { warnOfUncommitted } from '../../operations/documents/uncommitted.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import { styleOf } from '../../views/format/style.js'
import { documentStatusJson } from '../../views/json.js'
import { documentStatusText } from '../../views/registry/document.js'

export default class DocumentStatus extends QanatCommand {
  static override summary = 'Show which results are current, stale or missing'
  static override topics = ['what-is-stale']
  static override examples = ['qanat document status report']
  static override enableJsonFlag = true
  static override args = { name: documentArgument }

  async run(): Promise<unknown> {
    const { args } = await this.parse(DocumentStatus)
    const workspace = await this.workspace()
    const document = findDocument(workspace, args.name)
    await asFarAsStored(workspace, () => refreshRuns(workspace, openRuns(workspace)))
    const { tree, statuses } = await documentStatus(workspace, document)
    this.print(documentStatusText(styleOf(process.stdout), document, statuses))
    warnOfUncommitted(workspace, { tree, statuses })
    warnOfFormerExports(workspace, document)
    return documentStatusJson(document, statuses, tree.changes)
  }
}
