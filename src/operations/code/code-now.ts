import { inspectTree, type TreeState } from '../../code/tree-state.js'
import { workingTree } from '../../code/working-patch.js'
import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { changedSince, whyOtherCode } from './changed-files.js'

/** The tree of the user as it is now. */
interface Tree {
  readonly state: TreeState
  /** The commit that is checked out, or the id of the tree with uncommitted changes. */
  readonly id: string
}

type CodeFiles = 'all' | 'tracked'

/** Compares the code of runs with the tree as it is now, which is looked at once. */
export class CodeNow {
  private readonly trees = new Map<CodeFiles, Promise<Tree | null>>()

  constructor(private readonly workspace: Workspace) {}

  /** What has changed since of the code of a run, a sentence each; null if git cannot tell. */
  async changes(run: Run): Promise<readonly string[] | null> {
    const files = codeFiles(this.workspace, run)
    const known = this.trees.get(files) ?? treeNow(this.workspace, files)
    this.trees.set(files, known)
    const tree = await known
    if (tree === null) return null
    const changed = run.codeChanged === true ? null : await changedSince(this.workspace, tree.state, run, tree.id)
    return changed?.length === 0 ? [] : [whyOtherCode(run, changed)]
  }
}

/** Without `uses`, files that git does not track are no code: one may be a figure that the script has left. */
function codeFiles(workspace: Workspace, run: Run): CodeFiles {
  return run.dirty || findExperiment(workspace, run.experiment).uses.length > 0 ? 'all' : 'tracked'
}

async function treeNow({ project }: Workspace, files: CodeFiles): Promise<Tree | null> {
  try {
    const state = await inspectTree(project.root)
    const id = state.changes.length === 0 ? state.head : await workingTree(state, files)
    return id === null ? null : { state, id }
  } catch (error) {
    if (error instanceof QanatError) return null
    throw error
  }
}
