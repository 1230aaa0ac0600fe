import type { Action } from '../../domain/experiment.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { splitWords } from '../../domain/text/words.js'
import { dependentsOf } from '../../operations/documents/run-dependents.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { readComment } from '../../operations/runs/comment-run.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { readGroup } from '../../operations/runs/find-run.js'
import { retireRuns } from '../../operations/runs/mark-runs.js'
import { readFolder, type Workspace } from '../../operations/workspace.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import type { Entry } from '../../views/explore/state.js'
import { counted } from '../../views/format/counted.js'
import { plainStyle } from '../../views/format/style.js'
import { cancelText } from '../../views/run.js'
import { deleteQuestionOf } from '../../views/runs/list.js'
import { actHere } from '../follow/act-here.js'
import * as show from './show.js'

/** Keys for actions: all that mean nothing else on any page. */
const actionKeys = [...'hilnouy123456789']

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
export const done: Readonly<Record<string, Does>> = { g: deleteIt, r: retry, t: retire, x: cancel }

/** What can be done with a run in its current state. */
export function runEntries(workspace: Workspace, run: Run): Entry[] {
  const { failed, lost, cancelled } = run.counts
  const hasFolder = presenceOf(readFolder(workspace, run)) === 'there'
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
    ...entry('t', run.retired ? 'Let it count again' : 'Retire', true, run.retired ? null : retireQuestion(run)),
    ...entry('x', 'Cancel', !isOver(run.counts), `Cancel the groups of run ${run.id} that have not ended?`),
    ...entry('w', 'Why', run.status !== 'finished'),
  ]
}

function entry(key: string, name: string, applies: boolean, question: string | null = null): Entry[] {
  return applies ? [{ key, name, question, action: null }] : []
}

function logName(run: Run): string {
  const names: Record<string, string> = { slurm: 'Show Slurm script and log', htcondor: 'Show HTCondor log(s)' }
  return names[run.runner] ?? 'Show log of the pool'
}

/** The actions of an experiment, as many as there are keys for. */
export function actionEntries(actions: readonly Pick<Action, 'name'>[]): Entry[] {
  return actions
    .slice(0, actionKeys.length)
    .map(({ name }, number) => ({ key: actionKeys[number]!, name: `Action: ${name}`, question: null, action: name }))
}

async function retry(workspace: Workspace, run: Run, interruption: AbortSignal): Promise<string> {
  const request = { only: null, submitTemplate: null, resume: false }
  const outcome = await retryRun(workspace, run, request, null, interruption)
  if ('nothing' in outcome) return outcome.nothing
  return `${counted(outcome.groups, 'group')} launched again`
}

function retireQuestion({ id }: Run): string {
  return `Retire run ${id}? It stays, and counts nowhere.`
}

async function retire(workspace: Workspace, { id, retired }: Run): Promise<string> {
  retireRuns(workspace, [String(id)], retired ? null : '')
  return retired ? `Run ${id} counts again` : `Run ${id} is retired`
}

async function cancel(workspace: Workspace, run: Run): Promise<string> {
  return cancelText(plainStyle, await cancelRun(workspace, run))
}

async function deleteIt(workspace: Workspace, run: Run): Promise<string> {
  await deleteRun(workspace, run)
  return `Run ${run.id} is deleted; qanat trash restore ${run.id} brings it back`
}

/**
 * Runs an action on the user's terminal. It returns false: the user has not yet seen what the action printed.
 * @param group as it was typed; empty for the whole run
 */
export async function act(
  workspace: Workspace,
  run: Run,
  { action, words, group }: { readonly action: string; readonly words: string; readonly group: string },
): Promise<boolean> {
  const target = { run, group: group === '' ? null : readGroup(run, group) }
  await actHere(workspace, [target], action, splitWords(words))
  return false
}
