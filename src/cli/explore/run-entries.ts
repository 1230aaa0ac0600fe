import type { Action } from '../../domain/experiment.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { dependentsOf } from '../../operations/documents/run-dependents.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { readComment } from '../../operations/runs/comment-run.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { exists } from '../../system/files.js'
import type { Entry } from '../../views/explore/state.js'
import { counted } from '../../views/format/counted.js'
import { deleteQuestionOf } from '../../views/runs/list.js'
import { cancel, deleteIt, retry } from './act.js'
import * as show from './show.js'

/** Keys for actions: all that mean nothing else on any page. */
const actionKeys = [...'hilnotuy123456789']

type Shows = (workspace: Workspace, run: Run) => Promise<boolean>
type Does = (workspace: Workspace, run: Run, interruption: AbortSignal) => Promise<string>

/** What uses the whole terminal, by letter. */
export const shown: Readonly<Record<string, Shows>> = {
  a: (workspace, run) => show.showLogs(workspace, run, false),
  b: (workspace, run) => show.showLogs(workspace, run, true),
  c: show.showParameters,
  d: show.showComment,
  e: show.showFolder,
  f: show.showSchedulerLogs,
  p: show.showParameterFiles,
}

/** What is done while the screen stays, by letter. */
export const done: Readonly<Record<string, Does>> = { g: deleteIt, r: retry, x: cancel }

/** What can be done with a run in its current state. */
export function runEntries(workspace: Workspace, run: Run): Entry[] {
  const { failed, lost, cancelled } = run.counts
  const hasFolder = exists(absolutePath(workspace, run.storagePath))
  const hasParameterFiles = show.parameterFilesOf(workspace, run).length > 0
  const unfinished = failed + lost + cancelled
  const again = `Launch ${counted(unfinished, 'group')} of run ${run.id} again?`
  const write = readComment(workspace, run) === null ? 'There is no comment yet. Write one?' : null
  return [
    ...entry('a', 'Show output(s)', hasFolder),
    ...entry('b', 'Show error(s)', hasFolder),
    ...entry('c', 'Show parameters', true),
    ...entry('d', 'Show comment', hasFolder, write),
    ...entry('e', 'Explore run directory', hasFolder),
    ...entry('f', logName(run), hasFolder),
    ...entry('g', 'Delete run', true, deleteQuestionOf(run, dependentsOf(workspace, run))),
    ...actionEntries(findExperiment(workspace, run.experiment).actions),
    ...entry('p', 'Show parameters file(s)', hasParameterFiles),
    ...entry('r', 'Retry', unfinished > 0, again),
    ...entry('x', 'Cancel', !isOver(run.counts), `Cancel the groups of run ${run.id} that have not ended?`),
    ...entry('w', 'Why', run.status !== 'finished'),
  ]
}

function entry(key: string, name: string, applies: boolean, question: string | null = null): Entry[] {
  return applies ? [{ key, name, question, action: null }] : []
}

function logName(run: Run): string {
  const names: Record<string, string> = { slurm: 'Show Slurm script and log', htcondor: 'Show HTCondor log(s)' }
  return names[run.runner] ?? 'Show log of the supervisor'
}

/** The actions of an experiment, as many as there are keys for. */
export function actionEntries(actions: readonly Pick<Action, 'name'>[]): Entry[] {
  return actions
    .slice(0, actionKeys.length)
    .map(({ name }, number) => ({ key: actionKeys[number]!, name: `Action: ${name}`, question: null, action: name }))
}
