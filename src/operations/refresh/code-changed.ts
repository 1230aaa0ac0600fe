import { hasChanged } from '../../code/compare.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** A tree that differs later than this after the end of a run, in milliseconds, may have changed only then. */
const freshEnough = 2_000

/**
 * Once a run that was not frozen is over, says whether the tree changed under it. A tree that still is as recorded
 * did not; one that changed says so only right after the end, later the answer stays open. Groups that were launched
 * again ran in a frozen copy, of which the tree says nothing.
 */
export async function settleCodeChanged(workspace: Workspace, run: Run): Promise<void> {
  const { project, store } = workspace
  if (run.codeChanged !== null || run.frozen !== null || !isOver(run.counts)) return
  const { tree, uncountedFiles, attempts } = store.runs.launch(run.id)
  if (attempts.length > 1) return
  const uncounted = uncountedFiles.map(path => absolutePath(workspace, path))
  const recorded = { commit: run.commit, tree }
  const changed = await hasChanged(project.root, recorded, absolutePath(workspace, run.storagePath), uncounted)
  if (changed && Date.now() - (run.finished ?? 0) > freshEnough) return
  store.transaction(() => store.runs.setCodeChanged(run.id, changed))
}
