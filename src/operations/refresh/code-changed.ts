import { hasChanged } from '../../code/compare.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { codeOf } from '../code/code-definition.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** If the code differs later than this after the end of a run (in milliseconds), it may have changed after the run. */
const conclusiveFor = 2_000

/**
 * At the end of a run that was not frozen, stores whether its code changed while it ran. Code equal to the record did not
 * change. Code that differs counts as changed only right after the end; later the answer stays unknown. Groups
 * that were retried ran in a frozen copy, so the tree tells nothing about them.
 */
export async function storeCodeChanged(workspace: Workspace, run: Run): Promise<void> {
  const { project, store } = workspace
  if (run.codeChanged !== null || run.frozen !== null || !isOver(run.counts)) return
  const { tree, uncountedFiles, attempts } = store.runs.launch(run.id)
  if (attempts.length > 1) return
  const counts = codeOf(workspace, findExperiment(workspace, run.experiment), uncountedFiles)
  const recorded = { commit: run.commit, tree }
  const changed = await hasChanged(project.root, absolutePath(workspace, run.storagePath), recorded, counts)
  if (changed && Date.now() - (run.finished ?? 0) > conclusiveFor) return
  store.transaction(() => store.runs.setCodeChanged(run.id, changed))
}
