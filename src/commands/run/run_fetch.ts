import { runArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { fetchRun } from '../../operations/runs/fetch-run.js'
import { findRunOf } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRunFetch extends QanatCommand {
  static override summary = 'Fetch all files of a run that lives in a context'
  static override description =
    'Records, metrics and files of up to 1 MB come by themselves when the state of the run is asked for. Larger ones stay there until this is called.'
  static override topics = ['contexts']
  static override examples = ['qanat run_fetch 1']
  static override enableJsonFlag = true
  static override args = runArguments

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunFetch)
    const workspace = await this.workspace()
    const run = await fetchRun(workspace, findRunOf(workspace, args.name, args.run))
    this.say(`The files of run ${run.id} are in ${run.storagePath}.`)
    return runJson(run, mirrorOf(workspace, run))
  }
}
