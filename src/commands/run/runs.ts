import { QanatCommand } from '../../cli/base-command.js'
import { isShown, refreshFlag, runList, runListFlags } from '../../cli/run-list.js'
import { asFarAsStored } from '../../operations/as-far-as-stored.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { warnOfPurge } from '../../operations/folder/purge.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { listedRunJson } from '../../views/json.js'
import { lateNoteOf, runsCsv, runsText } from '../../views/runs/list.js'

export default class Runs extends QanatCommand {
  static override summary = 'List all runs, live ones first'
  static override topics = ['find-runs', 'statuses']
  static override examples = [
    'qanat runs',
    'qanat runs --status failed,lost --since 3d',
    'qanat runs --param --rate:0.1 --csv',
    "qanat runs --where 'accuracy > 0.9' --sort -accuracy",
  ]
  static override enableJsonFlag = true
  static override flags = { ...runListFlags, refresh: refreshFlag }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Runs)
    const select = runList(flags)
    const workspace = await this.workspace()
    const shown = openRuns(workspace).filter(run => isShown(flags, run))
    await asFarAsStored(workspace, () => refreshRuns(workspace, shown, flags.refresh ? 0 : undefined))
    const listing = await select(workspace, workspace.store.runs.list())
    if (flags.csv) for (const text of lateNoteOf(listing)) workspace.warn(text)
    if (flags.csv) this.print(runsCsv(listing.runs))
    else this.print(runsText(this.screen, listing, Date.now()))
    warnOfPurge(workspace, listing.runs, Date.now())
    return { runs: listing.runs.map(run => listedRunJson(run, mirrorOf(workspace, run))) }
  }
}
