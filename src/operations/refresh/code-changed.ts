import { differenceOfTree, isWrittenBefore, writtenBetween } from '../../code/compare.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { addWarning } from '../../runfolder/warnings.js'
import { comparedCodeOf } from '../code/code-definition.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** If the code differs later than this after the end of a run (in milliseconds), it may have changed after the run. */
const conclusiveFor = 2_000

/**
 * At the end of a run that was not frozen, stores whether its code changed while it ran, and keeps a warning with the run that
 * names the files. Code that is as recorded counts as unchanged; if files of it were written while the run ran, a warning says
 * that they may have changed. Code that differs counts as changed right after the end, and later by the times of its files;
 * otherwise the answer stays unknown.
 * Groups that were retried ran in a frozen copy, so the tree tells nothing about them.
 */
export async function storeCodeChanged(workspace: Workspace, run: Run): Promise<void> {
  const { project, store } = workspace
  const { launched, finished } = run
  if (run.codeChanged !== null || run.frozen !== null || !isOver(run.counts)) return
  const { tree, attempts } = store.runs.launch(run.id)
  if (attempts.length > 1) return
  const counts = comparedCodeOf(workspace, findExperiment(workspace, run.experiment))
  const recorded = { commit: run.commit, tree }
  const folder = absolutePath(workspace, run.storagePath)
  const { state, changed, files } = await differenceOfTree(project.root, folder, recorded, counts)
  const end = finished ?? 0
  // A file that differs and was last written before the end was written while the run ran: it was as recorded at the launch.
  const isConclusive = Date.now() - end <= conclusiveFor || isWrittenBefore(project.root, files, end)
  if (changed === null || (changed && !isConclusive)) return
  store.transaction(() => store.runs.setCodeChanged(run.id, changed))
  const period = { since: launched, until: finished ?? Date.now() }
  const written = changed ? [] : await writtenBetween(project.root, state, recorded, counts, period)
  if (files.length > 0) addWarning(folder, `not as recorded when the run ended in the project's tree: ${fewOf(files)}`)
  if (written.length > 0)
    addWarning(folder, `may have changed while the run ran, and is now as it was recorded: ${fewOf(written)}`)
}
