import { basename, isAbsolute, join } from 'node:path'
import { type FrozenCode, freezeCode } from '../../code/frozen-code.js'
import { type CopyState, keptMark } from '../../code/left-behind.js'
import { frozenName, type RunCode } from '../../code/run-code.js'
import type { Run } from '../../domain/runs/run.js'
import { atomicWrite, exists } from '../../system/files.js'
import { settleLastRun } from '../refresh/left-behind.js'
import { refreshRuns } from '../refresh/refresh-runs.js'
import { resultFolder, storedPath, type Workspace } from '../workspace.js'

/**
 * Provides a frozen copy of some code that no other live run uses. Call with the lock of the copies held, and keep it until
 * a run is stored that uses this copy.
 * @param run whose groups are launched again, null for a new one
 */
export async function freeze(workspace: Workspace, code: RunCode, run: Run | null): Promise<FrozenCode> {
  const { root } = workspace.project
  const results = storedPath(workspace, resultFolder(workspace))
  const resultDir = isAbsolute(results) ? null : results
  const warn = (message: string) => workspace.warn(message)
  for (;;) {
    const folder = copyFor(workspace, code, run)
    const stored = storedPath(workspace, folder)
    const settle = run?.frozen === stored ? null : (state: CopyState) => settleLastRun(workspace, stored, state)
    const frozen = await freezeCode({ root, folder, settle, resultDir }, code, warn)
    if (frozen) return frozen
    atomicWrite(keptMark(folder), '')
  }
}

/** Looks at the runs that live in copies of some code: one that has ended since leaves its copy idle. */
export async function lookAtUsers(workspace: Workspace, code: RunCode): Promise<void> {
  const first = storedPath(workspace, join(workspace.project.cacheFolder, frozenName(code)))
  const users = workspace.store.runs.live().filter(({ frozen }) => frozen?.startsWith(first))
  await refreshRuns(workspace, users, Number.POSITIVE_INFINITY)
}

/** Absolute folder of the copy: the run's own, or the first idle one, or a new one. */
export function copyFor(workspace: Workspace, code: RunCode, run: Run | null): string {
  const { cacheFolder } = workspace.project
  const others = workspace.store.runs.live().filter(({ id }) => id !== run?.id)
  const isIdle = (folder: string) => others.every(({ frozen }) => frozen !== storedPath(workspace, folder))
  const first = join(cacheFolder, frozenName(code))
  const own = run?.frozen ? join(cacheFolder, basename(run.frozen)) : null
  if (own?.startsWith(first) && isIdle(own)) return own
  let number = 1
  const numbered = () => (number === 1 ? first : `${first}_${number}`)
  while (exists(keptMark(numbered())) || !isIdle(numbered())) number++
  return numbered()
}
