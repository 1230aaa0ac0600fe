import { contentOfScript } from '../../code/script-state.js'
import type { ListedAction } from '../../domain/action-record.js'
import type { Run } from '../../domain/runs/run.js'
import { ActionFiles } from '../actions/action-tree.js'
import { CodeNow } from '../code/code-now.js'
import { DataNow } from '../data/data-now.js'
import { findExperiment } from '../registry/find-experiment.js'
import { changesOfExperiment } from '../registry/launched-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import type { Origin } from './origin.js'

/** How many milliseconds are spent on the data of all runs. */
const dataTime = 2_000
/** Changes are looked up for at most this many runs, since nobody reads more. */
const mostRuns = 25

/**
 * Adds to the first origins of a file what has changed since in their code, their data and their script.
 * @returns also a sentence for each dataset that may have changed
 */
export async function withChanges(
  workspace: Workspace,
  origins: readonly Origin[],
): Promise<{ origins: Origin[]; doubts: string[] }> {
  const code = new CodeNow(workspace)
  const data = new DataNow(workspace, dataTime)
  const ofRuns = new Map<number, readonly string[] | null>()
  const all: Origin[] = []
  const doubts: string[] = []
  for (const origin of origins) {
    const { run, action } = origin
    if (run && !ofRuns.has(run.id) && ofRuns.size < mostRuns) {
      const ofCode = await code.changes(run)
      const ofData = ofCode && (await data.sentences(run))
      ofRuns.set(
        run.id,
        ofData && [...changesOfExperiment(workspace, run), ...ofCode, ...ofData.certain.map(({ text }) => text)],
      )
      doubts.push(...(ofData?.possible ?? []).map(({ text }) => text))
    }
    const ofRun = (run && ofRuns.get(run.id)) ?? null
    const ofAction = run && ofRun && action ? await changesOfAction(workspace, run, action) : []
    all.push(ofRun === null ? origin : { ...origin, changed: [...ofRun, ...ofAction] })
  }
  return { origins: all, doubts }
}

async function changesOfAction(workspace: Workspace, { experiment }: Run, { action, script, tree }: ListedAction) {
  const path = absolutePath(workspace, script.path)
  const content = await contentOfScript(path)
  if (script.content !== content) return [`${script.path} ${content === null ? 'is gone' : 'has changed since'}`]
  const registered = findExperiment(workspace, experiment).actions.find(({ name }) => name === action)
  const doubt = registered && tree && (await new ActionFiles(workspace, experiment, registered).doubt(tree, 'it'))
  return doubt?.isStale ? [doubt.why] : []
}
