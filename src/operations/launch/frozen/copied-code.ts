import { join, relative } from 'node:path'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import { importsFolder } from '../../../code/imports/imports-folder.js'
import { provideImports } from '../../../code/imports/provide-imports.js'
import { otherWorktrees, type TreeState } from '../../../code/tree-state.js'
import type { CopiedCode } from '../../../domain/runs/run-plan.js'
import type { Workspace } from '../../workspace.js'
import type { ResolvedLaunch } from '../resolve.js'

/** The frozen copy of a repository in which groups run. */
export interface Copied {
  readonly state: TreeState
  readonly code: CopiedCode
  /** Sentences about code and packages that are not those of the commit. */
  readonly remarks: readonly string[]
}

/** What is known of a copy before it is made. @param workingDirectory the project's root in it, absolute */
export function copyAt(state: TreeState, workingDirectory: string): Copied {
  const copy = join(workingDirectory, relative(join('/', state.prefix), '/'))
  const python = join(importsFolder(copy), 'python')
  return { state, code: { repository: state.gitRoot, copy, python, programs: [], variables: {} }, remarks: [] }
}

/** Makes a frozen copy ready for the groups of a launch: they import its code, and change no environment of the tree. */
export async function enterCopy(
  workspace: Workspace,
  { plan, runner }: ResolvedLaunch,
  state: TreeState,
  { workingDirectory, links }: FrozenCode,
  interruption: AbortSignal,
): Promise<Copied> {
  const copied = copyAt(state, workingDirectory)
  const { executableCommand, executable, environment, container } = plan
  const { modules, afterModules, setup, venv, conda } = environment
  const command = {
    root: workingDirectory,
    copy: copied.code.copy,
    tree: join(state.gitRoot, state.prefix),
    repository: state.gitRoot,
    worktrees: await otherWorktrees(state),
    isPrepared: workspace.config.prepare.length > 0,
    // Nothing is known of what a container has inside.
    words: container ? [] : executableCommand,
    script: container ? '' : join(workingDirectory, executable),
    ...{ venv, conda },
    changesPath: modules.length > 0 || afterModules !== '' || setup !== '',
    set: environment.env,
    variables: { ...(await workspace.site.probe()).variables, ...environment.env },
  }
  const { hasPython, variables, programs, sentences } = await provideImports(runner.site, command, links, interruption)
  const python = hasPython ? copied.code.python : ''
  return { state, code: { ...copied.code, python, programs, variables }, remarks: sentences }
}
