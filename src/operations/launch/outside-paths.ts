import { join, normalize } from 'node:path'
import type { TreeState } from '../../code/tree-state.js'
import { wordsOfGrid } from '../../domain/parameters/grid.js'
import type { RunPlan } from '../../domain/runs/run-plan.js'
import { fewOf } from '../../domain/text/names.js'
import { exists, realPath } from '../../system/files.js'
import type { Workspace } from '../workspace.js'
import type { Copied } from './frozen/copied-code.js'
import type { ResolvedLaunch } from './resolve.js'

/** True for a relative path that leads from a project out of its repository. */
function leadsOutside({ prefix }: TreeState, path: string): boolean {
  return /^\.\.?\//.test(path) && /^\.\.(\/|$)/.test(normalize(join(prefix, path)))
}

/**
 * A plan whose groups run in a frozen copy, with absolute paths for those of its template and its program that lead out of
 * the repository: links beside the copy only cover `../NAME`. Those that lead into the repository lead into the copy.
 * Arguments and shell lines stay as they are.
 * @param there where a path of this machine is at the site of the run
 */
export function withAbsolutePaths(plan: RunPlan, { state, code }: Copied, there: (path: string) => string): RunPlan {
  const { environment, executable, executableCommand, projectRoot } = plan
  const absolute = (path: string) => {
    if (leadsOutside(state, path)) return join(projectRoot, path)
    const place = path.startsWith(`${state.gitRoot}/`) ? join(code.copy, path.slice(state.gitRoot.length)) : path
    return place === path || !exists(place) || isSame(path, place) ? path : there(place)
  }
  // The shell expands these words, and cannot be told to leave a dollar of the project's path alone.
  const expanded = (word: string) =>
    projectRoot.includes('$') && leadsOutside(state, word) ? `$QANAT_PROJECT/${word}` : absolute(word)
  // A variable may hold several paths, as PYTHONPATH does.
  const ofVariable = (value: string) => value.split(':').map(expanded).join(':')
  const variables = Object.entries(environment.env).map(([name, value]) => [name, ofVariable(value)])
  return {
    ...plan,
    executable: absolute(executable),
    executableCommand: executableCommand.map(expanded),
    environment: {
      ...environment,
      conda: absolute(environment.conda),
      venv: expanded(environment.venv),
      launcher: environment.launcher.map(expanded),
      shell: environment.shell.map(expanded),
      env: Object.fromEntries(variables),
    },
  }
}

/**
 * Warns of paths among the arguments of a run that lead somewhere from the project, and to another place or nowhere from
 * the frozen copy of it.
 * @param copy the project's root in the copy, absolute
 */
export function warnOfOutsidePaths(
  workspace: Workspace,
  { grid, plan }: ResolvedLaunch,
  state: TreeState,
  copy: string,
): void {
  const { root } = workspace.project
  const found = new Set<string>()
  const look = (word: string) => {
    const path = word.replace(/^-[^=]*=/, '')
    if (leadsOutside(state, path) && exists(join(root, path)) && !isSame(join(root, path), join(copy, path)))
      found.add(`${path} → ${join(root, path)}`)
  }
  for (const word of wordsOfGrid(grid)) look(word)
  for (const word of plan.environment.arguments) look(word)
  if (found.size > 0)
    workspace.warn(
      `paths in the arguments do not lead out of the frozen copy of the code, in which the groups run, as they do out of
the project; type the absolute ones instead: ${fewOf([...found])}`,
    )
}

function isSame(path: string, other: string): boolean {
  return exists(other) && realPath(other) === realPath(path)
}
