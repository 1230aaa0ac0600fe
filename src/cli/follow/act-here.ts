import type { MadeFile } from '../../domain/action-record.js'
import { InterruptedError } from '../../errors.js'
import { runAction } from '../../operations/actions/run-action.js'
import type { Target } from '../../operations/actions/targets.js'
import type { Workspace } from '../../operations/workspace.js'
import { Interruption } from './interruption.js'

/**
 * Runs an action that a user has named on the terminal, until Ctrl-C.
 * @throws InterruptedError after Ctrl-C, unless the script ends well by it
 */
export async function actHere(
  workspace: Workspace,
  targets: readonly Target[],
  action: string,
  words: readonly string[],
): Promise<readonly MadeFile[]> {
  const interruption = new Interruption(new InterruptedError())
  try {
    return (await runAction(workspace, targets, { action, words, document: null, interruption: interruption.signal }))
      .made
  } finally {
    interruption.close()
  }
}
