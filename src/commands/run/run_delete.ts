import { Flags } from '@oclif/core'
import { runsArguments, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { confirm } from '../../cli/prompts.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { findRuns, splitExperiment } from '../../operations/runs/find-run.js'
import { restoreRuns } from '../../operations/runs/trash.js'

export default class ExperimentRunDelete extends QanatCommand {
  static override summary = 'Delete runs and their folders; live runs are cancelled first'
  static override description = "--undo restores them, until 'qanat trash empty' removes them for good."
  static override examples = [
    '<%= config.bin %> run_delete 4',
    '<%= config.bin %> run_delete 3 5-9 --yes',
    '<%= config.bin %> run_delete 4 --undo',
  ]
  static override strict = false
  static override args = runsArguments
  static override flags = {
    yes: yesFlag,
    undo: Flags.boolean({ description: 'restore deleted runs' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ExperimentRunDelete)
    const workspace = await this.workspace()
    const words = argv as string[]
    if (flags.undo) {
      const { experiment, words: ids } = splitExperiment(workspace, words)
      for (const run of restoreRuns(workspace, experiment, ids)) this.print(`Run ${run.id} restored.`)
      return
    }
    const runs = findRuns(workspace, words)
    if (!(await confirm(questionOf(runs), flags.yes))) return this.print('Kept.')
    for (const run of runs) {
      await deleteRun(workspace, run)
      this.print(`Run ${run.id} deleted. To restore it: qanat run_delete ${run.id} --undo`)
    }
  }
}

function questionOf(runs: readonly { readonly id: number; readonly storagePath: string }[]): string {
  const [only, ...others] = runs
  if (only && others.length === 0) return `Delete run ${only.id} (${only.storagePath})?`
  return `Delete ${runs.length} runs (${runs.map(({ id }) => id).join(', ')})?`
}
