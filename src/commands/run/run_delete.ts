import { Args, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { runStatusFlag } from '../../cli/run-list.js'
import { dependentsOf } from '../../operations/documents/run-dependents.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { findRunsToDelete } from '../../operations/runs/find-run.js'
import { styleOf } from '../../views/format/style.js'
import { deleteQuestion, toDeleteText } from '../../views/runs/list.js'

export default class ExperimentRunDelete extends QanatCommand {
  static override summary = 'Delete runs and their folders'
  static override description =
    "Live runs are cancelled first. 'qanat trash restore' brings deleted runs back, until 'qanat trash empty' erases them."
  static override usage = ['RUN… [OPTIONS]', 'EXPERIMENT --status <statuses> [OPTIONS]']
  static override topics = ['find-runs']
  static override examples = [
    'qanat run_delete 1',
    'qanat run_delete 2-3 --yes',
    'qanat run_delete summary_iris --status failed,cancelled --yes',
  ]
  static override strict = false
  static override args = {
    name: Args.string({
      shown: 'EXPERIMENT|RUN',
      description: 'an experiment, or the first of the runs',
      completes: 'experiments_or_runs',
    }),
    runs: Args.string({ shown: 'RUN', description: 'runs: 4, 5-9', completes: 'more_runs' }),
  }
  static override flags = { status: runStatusFlag, yes: yesFlag }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ExperimentRunDelete)
    const workspace = await this.workspace()
    const runs = await findRunsToDelete(workspace, argv as string[], flags.status ?? null)
    const dependents = runs.flatMap(run => dependentsOf(workspace, run))
    if (flags.yes) for (const dependent of dependents) workspace.warn(dependent)
    const about = toDeleteText(styleOf(process.stderr), { runs, dependents }, Date.now())
    if (!(await confirm(deleteQuestion(runs), flags.yes, about))) return this.say('Kept.')
    const at = Date.now()
    const deleted: number[] = []
    for (const run of runs) {
      const { status } = workspace.store.runs.get(run.id)
      // It may have been retried while the question was there.
      if (flags.status !== undefined && status !== run.status) {
        workspace.warn(`run ${run.id} is ${status} by now, and was kept`)
        continue
      }
      await deleteRun(workspace, run, at)
      deleted.push(run.id)
      this.say(`Run ${run.id} deleted.${runs.length > 1 ? '' : ` To restore it: qanat trash restore ${run.id}`}`)
    }
    if (runs.length > 1 && deleted.length > 0) this.say(`To restore them: qanat trash restore ${deleted.join(' ')}`)
  }
}
