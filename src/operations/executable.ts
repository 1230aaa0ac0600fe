import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Experiment } from '../domain/experiment.js'
import { UserError } from '../errors.js'
import type { RunCode } from './launch-run.js'
import { absolutePath, type Workspace } from './workspace.js'

/** @throws UserError where the experiment's executable is not in what is to run */
export async function checkExecutable(workspace: Workspace, experiment: Experiment, code: RunCode): Promise<void> {
  const { executable, name } = experiment
  const update = `qanat experiment update ${name}        changes the path`
  if (isAbsolute(executable) || executable.startsWith('..')) {
    if (existsSync(absolutePath(workspace, executable))) return
    throw new UserError(`the executable of ${name} is not there: ${executable}`, update)
  }
  const { git, prefix } = code.state
  const path = join(prefix, executable)
  const tree = code.patch?.tree ?? code.commit
  const found = await git.run('ls-tree', '--full-tree', '--name-only', '-z', tree, '--', path)
  if (found !== '' || (await isInSubmodule(code, path))) return
  if (existsSync(absolutePath(workspace, executable))) {
    throw new UserError(
      `the executable of ${name} is not in the commit: ${executable}`,
      `git ignores it: check with 'git check-ignore -v ${executable}', then add and commit it`,
    )
  }
  throw new UserError(`the executable of ${name} is not there: ${executable}`, update)
}

async function isInSubmodule({ state, commit }: RunCode, path: string): Promise<boolean> {
  const parents = path.split('/').slice(0, -1)
  const folders = parents.map((_, depth) => parents.slice(0, depth + 1).join('/'))
  if (folders.length === 0) return false
  const entries = await state.git.run('ls-tree', '--full-tree', '-z', commit, '--', ...folders)
  return entries.split('\0').some(entry => entry.startsWith('160000 ')) && existsSync(join(state.gitRoot, path))
}
