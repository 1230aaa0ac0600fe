import { join } from 'node:path'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import { copiesWithBuilds } from '../../../code/frozen/frozen-copies.js'
import {
  beginPreparation,
  dropPreparation,
  endPreparation,
  forgetPreparation,
  preparationKey,
  preparedFor,
  runPreparation,
  takePreparation,
} from '../../../code/frozen/prepared.js'
import type { RunCode } from '../../../code/run-code.js'
import type { JobEnvironment } from '../../../domain/job-environment.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { OperationError } from '../../../errors.js'
import { lastLines } from '../../../runfolder/tails.js'
import { storedPath, type Workspace } from '../../workspace.js'
import { preparationLines } from './preparation-lines.js'

/**
 * Runs the commands under `prepare` of the config in a frozen copy, unless they have run there, or in another copy for
 * the same inputs. Call with the lock of the copies held.
 * @param goesOn whether groups of the same run have run in the copy
 * @param interruption ends them
 * @throws OperationError with the end of their output if one fails
 */
export async function prepareCopy(
  workspace: Workspace,
  { folder, workingDirectory }: FrozenCode,
  runCode: RunCode,
  environment: JobEnvironment,
  goesOn: boolean,
  interruption: AbortSignal,
): Promise<void> {
  const { config, project } = workspace
  const { prepare } = config
  const copy = join(project.root, folder)
  // Groups of the run may be at work in the copy, or have left files there with which it goes on.
  if (goesOn && preparedFor(copy) !== null) return
  if (goesOn) forgetPreparation(copy)
  if (prepare.length === 0) return
  const key = await preparationKey(workingDirectory, config, runCode)
  if (preparedFor(copy) === key) return
  if (!goesOn) await dropPreparation(copy)
  await beginPreparation(copy)
  if (!(await takePreparation(copy, key, copiesWithBuilds(project.cacheFolder)))) {
    for (const command of prepare) workspace.note(`Preparing the frozen copy: ${command}`)
    const log = `${copy}.prepared.log`
    const variables = { ...environment.env, QANAT_COMMIT: runCode.commit, QANAT_PROJECT: project.root }
    const lines = `exec >"$1" 2>&1 </dev/null\n${preparationLines(environment, prepare)}`
    const code = await runPreparation(lines, log, {
      environment: { set: variables },
      cwd: workingDirectory,
      ending: interruption,
    })
    interruption.throwIfAborted()
    if (code !== 0) throw preparationFailed(workspace, log, code)
  }
  await endPreparation(copy, key)
}

function preparationFailed(workspace: Workspace, log: string, code: number): OperationError {
  return new OperationError(
    `the frozen copy could not be prepared (exit ${code}), and nothing was launched:\n${lastLines(log, 20)
      .map(line => `  ${line}`)
      .join('\n')}`,
    `${displayCommand(['less', storedPath(workspace, log)])}        shows the whole output; 'qanat config get prepare' the commands`,
  )
}
