import { inspectTree, type TreeState } from '../../code/tree-state.js'
import { workingTree } from '../../code/working-patch.js'
import type { ListedAction } from '../../domain/action-record.js'
import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import { digestOfFile } from '../../system/digest.js'
import { isFile } from '../../system/files.js'
import { ActionFiles } from '../actions/action-tree.js'
import { changedSince, whyOtherCode } from '../code/changed-files.js'
import { DataNow } from '../data/data-now.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import type { Origin } from './origin.js'

/** So many milliseconds are spent on the data of all runs. */
const dataTime = 2_000
/** Of so many runs it is looked up: nobody reads more. */
const mostRuns = 25

/**
 * Adds to the first of what may have made a file whether the code, the data and the script are still those that did.
 * @returns also which data may have changed, a sentence each
 */
export async function withChanges(
  workspace: Workspace,
  origins: readonly Origin[],
): Promise<{ origins: Origin[]; doubts: string[] }> {
  const codes = new Map<CodeFiles, CodeNow | null>()
  const data = new DataNow(workspace, dataTime)
  const ofRuns = new Map<number, readonly string[]>()
  const all: Origin[] = []
  const doubts: string[] = []
  for (const origin of origins) {
    const { run, action } = origin
    const code = run && (ofRuns.has(run.id) || ofRuns.size < mostRuns) ? await codeFor(run) : null
    if (run === null || code === null) {
      all.push(origin)
      continue
    }
    const known = ofRuns.get(run.id)
    const ofRun = known ?? (await changesOfRun(workspace, run, code, data))
    ofRuns.set(run.id, ofRun)
    if (!known) doubts.push(...(await data.possibleChanges(run)))
    const ofAction = action === null ? [] : await changesOfAction(workspace, run, action)
    all.push({ ...origin, changed: [...ofRun, ...ofAction] })
  }
  return { origins: all, doubts }

  async function codeFor(run: Run): Promise<CodeNow | null> {
    const files = codeFiles(workspace, run)
    if (!codes.has(files)) codes.set(files, await codeNow(workspace, files))
    return codes.get(files)!
  }
}

interface CodeNow {
  readonly state: TreeState
  /** The commit that is checked out, or the id of the tree with uncommitted changes. */
  readonly id: string
}

type CodeFiles = 'all' | 'tracked'

/** If nothing says what the code is, files that git does not track are none, such as the figure that is asked about. */
function codeFiles(workspace: Workspace, run: Run): CodeFiles {
  return run.dirty || findExperiment(workspace, run.experiment).uses.length > 0 ? 'all' : 'tracked'
}

/** Null if git cannot tell. */
async function codeNow({ project }: Workspace, files: CodeFiles): Promise<CodeNow | null> {
  try {
    const state = await inspectTree(project.root)
    const id = state.changes.length === 0 ? state.head : await workingTree(state, files)
    return id === null ? null : { state, id }
  } catch (error) {
    if (error instanceof QanatError) return null
    throw error
  }
}

async function changesOfRun(workspace: Workspace, run: Run, { state, id }: CodeNow, data: DataNow): Promise<string[]> {
  const changed = run.codeChanged === true ? null : await changedSince(workspace, state, run, id)
  const ofCode = changed?.length === 0 ? [] : [whyOtherCode(run, changed)]
  return [...ofCode, ...(await data.certainChanges(run)).map(({ text }) => text)]
}

async function changesOfAction(workspace: Workspace, { experiment }: Run, { action, script, tree }: ListedAction) {
  const path = absolutePath(workspace, script.path)
  const content = isFile(path) ? await digestOfFile(path) : null
  if (script.content !== content) return [`${script.path} ${content === null ? 'is gone' : 'has changed since'}`]
  const registered = findExperiment(workspace, experiment).actions.find(({ name }) => name === action)
  const doubt = registered && tree && (await new ActionFiles(workspace, experiment, registered).doubt(tree, 'it'))
  return doubt?.isStale ? [doubt.why] : []
}
