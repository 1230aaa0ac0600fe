import { basename, isAbsolute, join, relative } from 'node:path'
import { type FrozenCode, freezeCode } from '../../../code/frozen/frozen-code.js'
import { copiesWithBuilds } from '../../../code/frozen/frozen-copies.js'
import type { Chosen } from '../../../code/frozen/ignored-paths.js'
import { type CopyState, isKept, markKept } from '../../../code/frozen/left-behind.js'
import { dropOwn } from '../../../code/frozen/own-mark.js'
import { frozenName, type RunCode } from '../../../code/run-code.js'
import type { Run } from '../../../domain/runs/run.js'
import { settleLastRun } from '../../refresh/left-behind.js'
import { refreshRuns } from '../../refresh/refresh-runs.js'
import { resultFolder, storedPath, type Workspace } from '../../workspace.js'
import { deploy } from './deploy.js'
import { prepareCopy } from './prepare.js'
import type { FrozenFor } from './prepare-there.js'

/**
 * Provides a frozen copy of some code that no other live run uses. Call with the lock of the copies held, and keep it until
 * a run is stored that uses this copy.
 * @param launch where the groups run
 * @param run whose groups are launched again, null for a new one
 * @param ending what the name of the copy ends with, if it is not for a run
 */
export async function freeze(
  workspace: Workspace,
  launch: FrozenFor,
  code: RunCode,
  run: Run | null,
  interruption: AbortSignal,
  ending = '',
): Promise<FrozenCode> {
  const { site } = launch.runner
  if (!site.isHere)
    return deploy(workspace, launch, code, copyFor(workspace, code, run, `@${site.name}${ending}`), interruption)
  const { root } = workspace.project
  const places = placesOf(workspace)
  const warn = (message: string) => workspace.warn(message)
  for (;;) {
    const folder = copyFor(workspace, code, run, ending)
    const stored = storedPath(workspace, folder)
    const settle = run?.frozen === stored ? null : (state: CopyState) => settleLastRun(workspace, stored, state)
    const frozen = await freezeCode({ root, folder, settle, ...places }, code, warn)
    if (frozen) {
      await dropOldBuilds(workspace, stored)
      await prepareCopy(workspace, frozen, code, launch.plan.environment, settle === null, interruption)
      return frozen
    }
    markKept(folder)
  }
}

/** The paths that settings give a frozen copy. */
export function placesOf(workspace: Workspace): { readonly resultDir: string | null; readonly chosen: Chosen } {
  const results = storedPath(workspace, resultFolder(workspace))
  return { resultDir: isAbsolute(results) ? null : results, chosen: workspace.config }
}

/** Of the copies that no live run uses, the newest two keep what was built in them, which may be large. @param used the copy of the launch */
async function dropOldBuilds({ project, store }: Workspace, used: string): Promise<void> {
  const live = new Set(store.runs.live().map(({ frozen }) => frozen))
  const idle = copiesWithBuilds(project.cacheFolder).filter(copy => {
    const stored = relative(project.root, copy)
    return stored !== used && !live.has(stored)
  })
  for (const copy of idle.slice(2)) await dropOwn(copy)
}

/** Looks at the runs that live in copies of some code: one that has ended since leaves its copy idle. */
export async function lookAtUsers(workspace: Workspace, code: RunCode): Promise<void> {
  const first = storedPath(workspace, join(workspace.project.cacheFolder, frozenName(code)))
  const users = workspace.store.runs.live().filter(({ frozen }) => frozen?.startsWith(first))
  await refreshRuns(workspace, users, Number.POSITIVE_INFINITY)
}

/**
 * Absolute folder of the copy: the run's own, or the first idle one, or a new one.
 * @param ending what the names of copies at another site, or for a shell, end with
 */
export function copyFor(workspace: Workspace, code: RunCode, run: Run | null, ending = ''): string {
  const { cacheFolder } = workspace.project
  const others = workspace.store.runs.live().filter(({ id }) => id !== run?.id)
  const isIdle = (folder: string) => others.every(({ frozen }) => frozen !== storedPath(workspace, folder))
  const first = join(cacheFolder, `${frozenName(code)}${ending}`)
  const own = run?.frozen ? join(cacheFolder, basename(run.frozen)) : null
  if (own?.startsWith(first) && isIdle(own)) return own
  let number = 1
  const numbered = () => (number === 1 ? first : `${first}_${number}`)
  while (isKept(numbered()) || !isIdle(numbered())) number++
  return numbered()
}
