import { relative } from 'node:path'
import { inspectTree } from '../../code/tree-state.js'
import { workingTree } from '../../code/working-patch.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** How long after its end a look at the tree still says what the run ran, in milliseconds. */
const freshEnough = 2_000

/**
 * Once a run that was not frozen is over, says whether the tree changed under it. A tree that still is as recorded
 * did not; one that changed says so only right after the end, later the answer stays open.
 */
export async function settleCodeChanged(workspace: Workspace, run: Run): Promise<void> {
  if (run.codeChanged !== null || run.frozen !== null || !isOver(run.counts)) return
  const changed = await hasChanged(workspace, run)
  if (changed && Date.now() - (run.finished ?? 0) > freshEnough) return
  workspace.store.transaction(() => workspace.store.runs.setCodeChanged(run.id, changed))
}

async function hasChanged(workspace: Workspace, run: Run): Promise<boolean> {
  const { tree, uncountedFiles } = workspace.store.runs.launch(run.id)
  // What the run itself has written is no change of its code, even where git does not ignore its folder.
  const storagePath = absolutePath(workspace, run.storagePath)
  const uncounted = [...uncountedFiles.map(path => absolutePath(workspace, path)), storagePath]
  const state = await inspectTree(workspace.project.root, uncounted)
  if (state.head !== run.commit) return true
  if (tree === null) return state.changes.length > 0
  const own = relative(state.gitRoot, storagePath)
  const places = own.startsWith('..') ? [] : ['--', ':/', `:(exclude,top,literal)${own}`]
  return (await state.git.run('diff-tree', '-r', '--name-only', tree, await workingTree(state), ...places)) !== ''
}
