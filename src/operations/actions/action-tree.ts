import { changedCode, hashOfCode, inProject, type RecordedCode } from '../../code/compare.js'
import { inspectTree, type TreeState } from '../../code/tree-state.js'
import { workingTree } from '../../code/working-patch.js'
import { type ActionTree, othersChanged } from '../../domain/action-record.js'
import type { CountsAsCode } from '../../domain/code-used.js'
import type { Action } from '../../domain/experiment.js'
import { fewInSentence } from '../../domain/text/names.js'
import { QanatError } from '../../errors.js'
import { codeOfAction } from '../code/code-definition.js'
import { warnOfUnusedPatterns } from '../code/unused-patterns.js'
import { findExperiment } from '../registry/find-experiment.js'
import { actionScript } from '../registry/script-file.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** At most this many changed files are named; the others are counted. */
const named = 5

/**
 * What an action finds in the tree of the project, beside its script. Warns of patterns of its `uses` that fit no file.
 * @returns null if git cannot tell; an action needs no repository
 */
export async function actionTree(workspace: Workspace, experiment: string, action: Action): Promise<ActionTree | null> {
  const found = await treeNow(workspace, experiment, action)
  if (found === null) return null
  const { state, changed, recorded, counts } = found
  const code = recorded && (await known(hashOfCode(state, recorded, counts)))
  if (recorded) await warnOfUnusedPatterns(workspace, action, state, recorded, 'no change is seen by it')
  return { commit: state.head, changed: changed.length, files: changed.slice(0, named), code }
}

/** What speaks against a product of an action whose script is the same. */
interface ActionDoubt {
  readonly why: string
  /** Whether the action is known to use other files now: its `uses` names them. */
  readonly isStale: boolean
}

/** Compares the files beside the script of an action with those that calls of it have found. The tree is looked at once. */
export class ActionFiles {
  private now: Promise<TreeNow | null> | null = null

  constructor(
    private readonly workspace: Workspace,
    private readonly experiment: string,
    private readonly action: Action,
  ) {}

  /**
   * Whether they are those of a call; null if nothing speaks against that. Which committed files the action uses is known only
   * if its `uses` names them.
   * @param called what the call found
   * @param what for which it was called
   */
  async doubt(called: ActionTree, what: string): Promise<ActionDoubt | null> {
    const { name, uses } = this.action
    const isStale = uses !== undefined
    if (called.changed === 0 && !isStale) return null
    this.now ??= treeNow(this.workspace, this.experiment, this.action)
    const found = await this.now
    if (!found?.recorded) return null
    const { state, changed, recorded, counts } = found
    if (called.changed > 0) {
      const isSame = called.code !== null && called.code === (await known(hashOfCode(state, recorded, counts)))
      const why = `${what} was made ${othersChanged(called)}`
      return isSame && changed.length === 0 ? null : { why, isStale: isStale && !isSame }
    }
    const files = await changedCode(state, { commit: called.commit, tree: null }, recorded, counts)
    if (files === null || files.length === 0) return null
    const have = files.length === 1 ? 'has' : 'have'
    return { why: `${fewInSentence(files)} ${have} changed since ${name} was called for ${what}`, isStale }
  }
}

interface TreeNow {
  readonly state: TreeState
  readonly counts: CountsAsCode
  /** The uncommitted files that may matter, besides the script. */
  readonly changed: readonly string[]
  /** Null if the uncommitted changes are too large, or a file cannot be read. */
  readonly recorded: RecordedCode | null
}

async function treeNow(workspace: Workspace, experiment: string, action: Action): Promise<TreeNow | null> {
  const counts = codeOfAction(workspace, findExperiment(workspace, experiment), action)
  const file = actionScript(workspace, experiment, action) ?? action.executable
  const state = await known(inspectTree(workspace.project.root, [absolutePath(workspace, file)], 'files'))
  if (state === null) return null
  const changed = state.changes.map(({ path }) => inProject(state.prefix, path)).filter(path => counts(path))
  const commit = state.head
  if (changed.length === 0) return { state, counts, changed, recorded: { commit, tree: null } }
  const tree = await known(workingTree(state))
  return { state, counts, changed, recorded: tree === null ? null : { commit, tree } }
}

async function known<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof QanatError) return null
    throw error
  }
}
