import { QanatCommand } from '../cli/base-command.js'
import { sinceFlag, sinceOf } from '../cli/run-list.js'

import { asFarAsStored } from '../operations/as-far-as-stored.js'
import { projectLog } from '../operations/origins/project-log.js'
import { openRuns, refreshRuns } from '../operations/refresh/refresh-runs.js'
import { logEntryJson, logText } from '../views/runs/log.js'

export default class Log extends QanatCommand {
  static override summary = 'Show what was done, in the order of time'
  static override description =
    'Launches, retries, cancellations, retirements, comments, actions, and what documents exported and compiled.'
  static override topics = ['find-runs']
  static override examples = ['qanat log', 'qanat log --since 21d']
  static override enableJsonFlag = true
  static override flags = { since: sinceFlag }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Log)
    const since = sinceOf(flags)
    const workspace = await this.workspace()
    await asFarAsStored(workspace, () => refreshRuns(workspace, openRuns(workspace)))
    const entries = projectLog(workspace, since)
    this.print(logText(this.screen, entries))
    return { events: entries.map(logEntryJson) }
  }
}
