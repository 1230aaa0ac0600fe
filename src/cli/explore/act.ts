import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { splitWords } from '../../domain/text/words.js'
import { retryRun } from '../../operations/launch/retry-run.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { deleteRun } from '../../operations/runs/delete-run.js'
import { runAction } from '../../operations/runs/run-action.js'
import { whyRun } from '../../operations/runs/why-run.js'
import type { Workspace } from '../../operations/workspace.js'
import { displayable } from '../../views/format/displayable.js'
import { styleOf } from '../../views/format/style.js'
import { outcomeText } from '../../views/run.js'
import { whyText } from '../../views/why.js'
import { askForText, confirm } from '../prompts.js'

// What can be done with a run; the outcome is printed to stderr, below the menu.

/** Retries the groups that did not finish. */
export async function retry(workspace: Workspace, run: Run): Promise<void> {
  const request = { only: null, submitTemplate: null, resume: false }
  const { groups } = await retryRun(workspace, run, request, new AbortController().signal)
  tell(`${groups} group${groups === 1 ? '' : 's'} launched again`)
}

/** Cancels the live groups of a run. */
export async function cancel(workspace: Workspace, run: Run): Promise<void> {
  tell(outcomeText(styleOf(process.stderr), await cancelRun(workspace, run), []))
}

/** Says why a run failed or waits. */
export async function explainRun(workspace: Workspace, run: Run): Promise<void> {
  tell(whyText(styleOf(process.stderr), await whyRun(workspace, run, null)))
}

/** Deletes a run if the user agrees. */
export async function deleteAsked(workspace: Workspace, run: Run): Promise<void> {
  if (await confirm(`Delete run ${run.id} (${run.storagePath})?`, false)) await deleteRun(workspace, run)
}

/** Asks for arguments and a group, and runs an action with them. */
export async function runActionAsked(workspace: Workspace, run: Run, action: string): Promise<void> {
  const words = splitWords(await askForText(`Arguments of ${action}`, ''))
  const total = totalOf(run.counts)
  const asked = total > 1 ? await askForText(`Group, 0 to ${total - 1} (empty: the whole run)`, '') : ''
  const group = asked.trim() === '' ? null : asked.trim()
  await runAction(workspace, run, { action, group, words })
}

function tell(text: string): void {
  process.stderr.write(`${displayable(text)}\n`)
}
