import type { Run } from '../../domain/runs/run.js'
import { splitWords } from '../../domain/text/words.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { readGroup } from '../../operations/runs/find-run.js'
import type { Workspace } from '../../operations/workspace.js'
import { counted } from '../../views/format/counted.js'
import { plainStyle } from '../../views/format/style.js'
import { cancelText } from '../../views/run.js'
import { actHere } from '../follow/act-here.js'

// What can be done with a run. Each function returns what is said about it afterwards.

/** Retries the groups that did not finish. @param interruption ends the launch */
export async function retry(workspace: Workspace, run: Run, interruption: AbortSignal): Promise<string> {
  const request = { only: null, submitTemplate: null, resume: false }
  const outcome = await retryRun(workspace, run, request, null, interruption)
  if ('nothing' in outcome) return outcome.nothing
  const { groups } = outcome
  return `${counted(groups, 'group')} launched again`
}

/** Cancels the live groups of a run. */
export async function cancel(workspace: Workspace, run: Run): Promise<string> {
  return cancelText(plainStyle, await cancelRun(workspace, run))
}

/** Deletes a run. */
export async function deleteIt(workspace: Workspace, run: Run): Promise<string> {
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
