import { QanatCommand } from '../../cli/base-command.js'
import { deletedRuns } from '../../operations/runs/trash.js'
import { deletedRunJson } from '../../views/json.js'
import { trashTable } from '../../views/trash.js'

export default class TrashList extends QanatCommand {
  static override summary = 'List the deleted runs'
  static override examples = ['qanat trash list', 'qanat trash list --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(TrashList)
    const runs = deletedRuns(await this.workspace())
    this.print(trashTable(this.screen, runs))
    return { runs: runs.map(deletedRunJson) }
  }
}
