import { isAbsolute } from 'node:path'
import { isIgnored, isInCode, type RunCode } from '../../code/run-code.js'
import type { Experiment } from '../../domain/experiment.js'
import { UserError } from '../../errors.js'
import { exists } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** @throws UserError if the code to run does not contain the experiment's executable */
export async function checkExecutable(workspace: Workspace, experiment: Experiment, code: RunCode): Promise<void> {
  const { executable, name } = experiment
  const update = `qanat experiment update ${name}        changes the path`
  if (isAbsolute(executable) || executable.startsWith('..')) {
    if (exists(absolutePath(workspace, executable))) return
    throw new UserError(`the executable of ${name} does not exist: ${executable}`, update)
  }
  if (await isInCode(code, executable)) return
  if (exists(absolutePath(workspace, executable))) {
    throw new UserError(
      `the executable of ${name} is not in the commit: ${executable}`,
      (await isIgnored(code, executable))
        ? `git ignores it ('git check-ignore -v ${executable}' says why): git add --force it, and commit`
        : `name a commit that has it: ${code.commit.slice(0, 12)} does not`,
    )
  }
  throw new UserError(`the executable of ${name} does not exist: ${executable}`, update)
}
