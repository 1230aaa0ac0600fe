import { Args } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { restoreRuns } from '../../operations/runs/trash.js'

export default class TrashRestore extends QanatCommand {
  static override summary = 'Restore deleted runs'
  static override examples = ['qanat trash restore 1', 'qanat trash restore 2-3']
  static override strict = false
  static override args = {
    runs: Args.string({ required: true, shown: 'RUN', description: 'deleted runs: 4, 5-9', completes: 'deleted_runs' }),
  }

  async run(): Promise<void> {
    const { argv } = await this.parse(TrashRestore)
    const workspace = await this.workspace()
    for await (const { id } of restoreRuns(workspace, argv as string[])) this.say(`Run ${id} restored.`)
  }
}
