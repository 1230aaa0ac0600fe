import type { RecordedCode } from '../../../code/compare.js'
import { type RunCode, resolveCommit } from '../../../code/run-code.js'
import { inspectTree } from '../../../code/tree-state.js'
import { workingTree } from '../../../code/working-patch.js'
import { UserError } from '../../../errors.js'
import type { Workspace } from '../../workspace.js'
import type { LaunchRequest } from '../request.js'

type Asking = Pick<LaunchRequest, 'options'>

/**
 * The code that is checked out or was asked for; null if there is no commit, which a launch would refuse.
 * @param uncountedFiles absolute paths of files whose changes do not count
 */
export async function codeAskedFor(
  workspace: Workspace,
  { options }: Asking,
  uncountedFiles: readonly string[] = [],
): Promise<RunCode | null> {
  const { commit_sha: commitSha } = options
  try {
    const state = await inspectTree(workspace.project.root, uncountedFiles)
    const commit = commitSha === undefined ? state.head : await resolveCommit(state, commitSha)
    return { state, commit, patch: null }
  } catch (error) {
    if (error instanceof UserError && commitSha === undefined) return null
    throw error
  }
}

/** What a launch would record of that code, with the changes that are not committed yet. */
export async function recordedLater({ state, commit }: RunCode, { options }: Asking): Promise<RecordedCode> {
  const isTree = options.commit_sha === undefined && state.changes.length > 0
  return { commit, tree: isTree ? await workingTree(state) : null }
}
