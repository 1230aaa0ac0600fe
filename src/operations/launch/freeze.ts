import { basename, join } from 'node:path'
import { type FrozenCode, freezeCode } from '../../code/frozen-code.js'
import { keptMark } from '../../code/left-behind.js'
import { frozenName, type RunCode } from '../../code/run-code.js'
import type { Run } from '../../domain/runs/run.js'
import { exists } from '../../system/files.js'
import { storedPath, type Workspace } from '../workspace.js'

/**
 * Provides a frozen copy of some code that no other live run uses. Call with the lock of the copies held, and keep it until
 * a run is stored that uses this copy.
 * @param run whose groups are launched again, null for a new one
 */
export function freeze(workspace: Workspace, code: RunCode, run: Run | null): Promise<FrozenCode> {
  const { project, config } = workspace
  const place = { root: project.root, folder: copyFor(workspace, code, run), resultDir: config.resultDir }
  return freezeCode(place, code, message => workspace.warn(message))
}

/** Absolute folder of the copy: the run's own, or the first idle one, or a new one. */
export function copyFor(workspace: Workspace, code: RunCode, run: Run | null): string {
  const { cacheFolder } = workspace.project
  const others = workspace.store.runs.live().filter(({ id }) => id !== run?.id)
  const isFree = (folder: string) =>
    !exists(keptMark(folder)) && others.every(({ frozen }) => frozen !== storedPath(workspace, folder))
  const name = frozenName(code)
  const own = join(cacheFolder, run?.frozen ? basename(run.frozen) : name)
  if (own.startsWith(join(cacheFolder, name)) && isFree(own)) return own
  let number = 1
  const numbered = () => join(cacheFolder, number === 1 ? name : `${name}_${number}`)
  while (!isFree(numbered())) number++
  return numbered()
}
