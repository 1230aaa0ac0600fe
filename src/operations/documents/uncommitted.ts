import { describeChanges } from '../../code/commit-tree.js'
import type { TreeState } from '../../code/tree-state.js'
import type { DependencyStatus } from '../../domain/documents/document.js'
import { UserError } from '../../errors.js'
import type { Workspace } from '../workspace.js'

type Found = { readonly tree: TreeState; readonly statuses: readonly DependencyStatus[] }

const commit = "git add --all && git commit --message 'what changed'"

/** Says that the runs of a document lack the uncommitted changes of the tree, and that none is launched before a commit. */
export function warnOfUncommitted(workspace: Workspace, { tree, statuses }: Found): void {
  if (tree.changes.length === 0) return
  const launch = isLaunchNeeded(statuses) ? `\nno run is launched before they are committed: ${commit}` : ''
  workspace.warn(`the runs do not contain these uncommitted changes:\n${describeChanges(tree.changes)}${launch}`)
}

/** The same for a compilation. @throws UserError if it would have to launch a run */
export function refuseUncommitted(workspace: Workspace, found: Found): void {
  const { tree, statuses } = found
  if (tree.changes.length === 0 || !isLaunchNeeded(statuses)) {
    warnOfUncommitted(workspace, found)
    return
  }
  throw new UserError(
    `the working tree has uncommitted changes:\n${describeChanges(tree.changes)}`,
    `a run records the commit it ran. Commit first: ${commit}`,
  )
}

/** Whether a run has to be launched at the commit that is checked out. */
function isLaunchNeeded(statuses: readonly DependencyStatus[]): boolean {
  return statuses.some(({ dependency, provider }) => provider === null && dependency.commitSha === null)
}
