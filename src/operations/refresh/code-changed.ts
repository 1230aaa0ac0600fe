import { hasChanged, type RecordedCode, writtenBetween } from '../../code/compare.js'
import type { CountsAsCode } from '../../domain/code-used.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { addWarning } from '../../runfolder/warnings.js'
import { exists } from '../../system/files.js'
import { comparedCodeOf } from '../code/code-definition.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** If the code differs later than this after the end of a run (in milliseconds), it may have changed after the run. */
const conclusiveFor = 2_000

/**
 * At the end of a run that was not frozen, stores whether its code changed while it ran. Code equal to the record did not
 * change; if its files were written meanwhile, a warning is kept. Code that differs counts as changed only right after the
 * end; later the answer stays unknown. Groups that were retried ran in a frozen copy, so the tree tells nothing about them.
 */
export async function storeCodeChanged(workspace: Workspace, run: Run): Promise<void> {
  const { project, store } = workspace
  if (run.codeChanged !== null || run.frozen !== null || !isOver(run.counts)) return
  const { tree, attempts } = store.runs.launch(run.id)
  if (attempts.length > 1) return
  const counts = comparedCodeOf(workspace, findExperiment(workspace, run.experiment))
  const recorded = { commit: run.commit, tree }
  const changed = await hasChanged(project.root, absolutePath(workspace, run.storagePath), recorded, counts)
  if (changed === null || (changed && Date.now() - (run.finished ?? 0) > conclusiveFor)) return
  store.transaction(() => store.runs.setCodeChanged(run.id, changed))
  if (!changed) await noteWritten(workspace, run, recorded, counts)
}

/** Files that are as they were recorded may have been others in between: their times tell that, which is only a doubt. */
async function noteWritten(workspace: Workspace, run: Run, recorded: RecordedCode, counts: CountsAsCode) {
  const { launched, finished } = run
  const folder = absolutePath(workspace, run.storagePath)
  const period = { since: launched, until: finished ?? Date.now() }
  const files = await writtenBetween(workspace.project.root, recorded, counts, period)
  if (files.length === 0 || !exists(folder)) return
  addWarning(folder, `may have changed while the run ran, and is now as it was recorded: ${fewOf(files)}`)
}
