import { existsSync } from 'node:fs'
import { QanatCommand } from '../../cli/base-command.js'
import { runArguments } from '../../cli/run-arguments.js'
import { isSettled } from '../../domain/runs/aggregate.js'
import { readComment } from '../../operations/runs/comment-run.js'
import { findRun } from '../../operations/runs/find-run.js'
import { groupDetails } from '../../operations/runs/group-details.js'
import { refreshRun } from '../../operations/runs/refresh-runs.js'
import { describeSubmissions } from '../../operations/runs/submissions.js'
import { absolutePath } from '../../operations/workspace.js'
import { styleOf } from '../../views/format/style.js'
import { groupJson, runJson } from '../../views/json.js'
import { runPage } from '../../views/run.js'

export default class ExperimentRunShow extends QanatCommand {
  static override summary = 'Show a run and its groups: status, cause, times, parameters'
  static override examples = [
    '<%= config.bin %> run_show summary_iris 4',
    '<%= config.bin %> run_show summary_iris 4 --json',
  ]
  static override enableJsonFlag = true
  static override args = runArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunShow)
    const workspace = await this.workspace()
    const found = findRun(workspace, args.name, args.run)
    const run = isSettled(found) ? found : await refreshRun(workspace, found)
    const groups = groupDetails(workspace, run)
    if (this.jsonEnabled()) return { ...runJson(run), group_list: groups.map(groupJson) }
    const { retries } = workspace.store.runs.submission(run.id)
    const hasFolder = existsSync(absolutePath(workspace, run.storagePath))
    const comment = readComment(workspace, run)
    const details = { groups, submission: describeSubmissions(workspace, run), retries, hasFolder, comment }
    this.print(runPage(styleOf(process.stdout), run, details, Date.now()))
    return undefined
  }
}
