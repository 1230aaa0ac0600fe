import { Args, Flags } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { readRunIds } from '../../domain/runs/run-ids.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { deleteRun, restoreRun } from '../../operations/runs/delete-run.js'
import { findRun } from '../../operations/runs/find-run.js'

export default class ExperimentRunDelete extends QanatCommand {
  static override summary = 'Delete runs and their folders; what still lives is cancelled first'
  static override description = "They can be taken back with --undo, until 'qanat cache clean'."
  static override examples = [
    '<%= config.bin %> run_delete summary_iris 4',
    '<%= config.bin %> run_delete summary_iris 3 5-9 --yes',
    '<%= config.bin %> run_delete summary_iris 4 --undo',
  ]
  static override strict = false
  static override args = {
    name: Args.string({ required: true, description: 'the experiment', completes: 'experiments' }),
    runs: Args.string({ required: true, description: 'ids of runs, and ranges such as 5-9', completes: 'runs' }),
  }
  static override flags = {
    yes: Flags.boolean({ char: 'y', description: 'do not ask' }),
    undo: Flags.boolean({ description: 'take runs back that were deleted' }),
  }

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ExperimentRunDelete)
    const workspace = await this.workspace()
    const { name } = findExperiment(workspace, args.name)
    if (flags.undo) {
      for (const id of readRunIds(
        argv.slice(1) as string[],
        workspace.store.runs.deleted().map(run => run.id),
      )) {
        this.print(`Run ${restoreRun(workspace, name, id).id} is back.`)
      }
      return
    }
    const known = workspace.store.runs.listOf(name).map(run => run.id)
    const ids = readRunIds(argv.slice(1) as string[], known)
    const runs = ids.map(id => findRun(workspace, name, id))
    const question =
      runs.length === 1
        ? `Delete run ${ids[0]} (${runs[0]!.storagePath})?`
        : `Delete ${runs.length} runs (${ids.join(', ')})?`
    if (!(await confirm(question, flags.yes))) return this.print('Kept.')
    for (const run of runs) {
      const left = await deleteRun(workspace, run)
      if (left)
        workspace.warn(`${left} is not a folder that the run made in the project's results and was left where it is`)
      this.print(`Run ${run.id} deleted. To take it back: qanat run_delete ${name} ${run.id} --undo`)
    }
  }
}
