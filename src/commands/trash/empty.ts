import { yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { deletedRuns, emptyTrash, sizeOf } from '../../operations/runs/trash.js'
import { trashText } from '../../views/trash.js'

export default class TrashEmpty extends QanatCommand {
  static override summary = 'Erase deleted runs for good'
  static override examples = ['qanat trash empty', 'qanat trash empty --yes']
  static override flags = { yes: yesFlag }
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    const { flags } = await this.parse(TrashEmpty)
    const workspace = await this.workspace()
    const deleted = deletedRuns(workspace)
    const trash = { runs: deleted.length, bytes: sizeOf(deleted) }
    const isWanted = trash.runs > 0 && (await confirm(`Remove for good: ${trashText(trash)}?`, flags.yes))
    if (isWanted) await emptyTrash(workspace)
    if (trash.runs === 0) this.say('The trash is empty')
    else this.say(isWanted ? `Removed for good: ${trashText(trash)}` : 'Kept.')
    return { deleted_runs: isWanted ? trash.runs : 0 }
  }
}
