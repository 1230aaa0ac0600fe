import { join } from 'node:path'
import { leadsOutside, outsidePaths, placeInCopy } from '../../code/outside-paths.js'
import type { TreeState } from '../../code/tree-state.js'
import { wordsOfGrid } from '../../domain/parameters/grid.js'
import type { RunPlan } from '../../domain/runs/run-plan.js'
import { fewOf } from '../../domain/text/names.js'
import type { Workspace } from '../workspace.js'
import type { Copied } from './frozen/copied-code.js'
import type { ResolvedLaunch } from './resolve.js'

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
    const place = placeInCopy(state, code.copy, path)
    return place === path ? path : there(place)
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
  const typed = [...wordsOfGrid(grid), ...plan.environment.arguments].map(word => word.replace(/^-[^=]*=/, ''))
  const found = outsidePaths(state, root, copy, [...new Set(typed)]).map(path => `${path} → ${join(root, path)}`)
  if (found.length > 0)
    workspace.warn(
      `paths in the arguments do not lead out of the frozen copy of the code, in which the groups run, as they do out of
the project; type the absolute ones instead: ${fewOf(found)}`,
    )
}
