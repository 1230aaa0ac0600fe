import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listActions } from '../../operations/actions/list-actions.js'
import { DataNow } from '../../operations/data/data-now.js'
import { findEnvironments } from '../../operations/environments/run-environments.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { verificationsOf } from '../../operations/folder/verifications.js'
import { continueKeeping } from '../../operations/outputs/keep-outputs.js'
import { keptOutputs } from '../../operations/outputs/outputs.js'
import { leftBehindOf } from '../../operations/refresh/left-behind.js'
import { listing } from '../../operations/results/best-metrics.js'
import { runsLiveCode } from '../../operations/runs/failures.js'
import { findRun } from '../../operations/runs/find-run.js'
import { currentRun, groupDetails, runDetails } from '../../operations/runs/run-details.js'
import { groupJson, listedRunJson } from '../../views/json.js'
import { fingerprintJson } from '../../views/registry/data.js'
import { keptVerificationJson } from '../../views/results/verified.js'
import { actionJson } from '../../views/runs/actions.js'
import { runPage, shownGroups } from '../../views/runs/page.js'

/** How many milliseconds are spent on comparing the data of the run with the data as they are now. */
const dataTime = 500

export default class ExperimentRunShow extends QanatCommand {
  static override summary = 'Show a run and its groups'
  static override topics = ['run-folder']
  static override examples = ['qanat run_show 1', 'qanat run_show summary_iris --json']
  static override enableJsonFlag = true
  static override args = runArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunShow)
    const workspace = await this.workspace()
    const current = await currentRun(workspace, findRun(workspace, args.name, args.run))
    const run = (await listing(workspace, [current])).runs[0]!
    continueKeeping(workspace)
    const changes = await new DataNow(workspace, dataTime).changes(run)
    if (this.jsonEnabled()) {
      const groups = groupDetails(workspace, run).map(groupJson)
      return {
        ...listedRunJson(run, mirrorOf(workspace, run)),
        imports_live_code: runsLiveCode(workspace, run),
        left_behind: leftBehindOf(workspace, run),
        data: workspace.store.data.of(run.id).map(each => fingerprintJson(each, changes)),
        outputs: keptOutputs(workspace, run),
        verified: verificationsOf(workspace, run).map(keptVerificationJson),
        actions: listActions(workspace, run).map(actionJson),
        group_list: groups,
      }
    }
    await findEnvironments(workspace, [run])
    this.print(runPage(this.screen, run, runDetails(workspace, run, shownGroups), Date.now(), changes))
    return undefined
  }
}
