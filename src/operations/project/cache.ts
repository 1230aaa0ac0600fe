import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { removeFrozenCode } from '../../code/frozen-code.js'
import { inspectTree } from '../../code/tree-state.js'
import { refuseLink } from '../../system/files.js'
import { folderSize } from '../../system/folder-size.js'
import { withLock } from '../../system/lock.js'
import { trashFolder } from '../runs/delete-run.js'
import type { Workspace } from '../workspace.js'

/** Frozen code in the cache. */
export interface CachedCode {
  /** Relative to the cache: what its commit begins with, or a hidden name of a copy that a crash has left half-made. */
  readonly name: string
  readonly bytes: number
  /** Ids of the runs that have been executed in it. */
  readonly runs: readonly number[]
  /** Whether something may still be executed in it. */
  readonly isUsed: boolean
}

/** A launch that has just made or found a copy has no run yet that says so, in milliseconds. */
const launchTime = 60_000

/** What is in the cache, by name. */
export function cachedCode({ project, store }: Workspace): CachedCode[] {
  if (!existsSync(project.cacheFolder)) return []
  const users = store.runs.usersOfFrozenCode()
  const folders = readdirSync(project.cacheFolder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders
    .map(({ name }) => {
      const path = join(project.cacheFolder, name)
      const runs = users.filter(({ frozen }) => frozen === relative(project.root, path))
      const isNew = Date.now() - lstatSync(path).mtimeMs < launchTime
      const isUsed = isNew || runs.some(({ live }) => live)
      return { name, bytes: folderSize(path), runs: runs.map(({ id }) => id), isUsed }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Bytes of the deleted runs that can still be taken back. */
export function trashSize(workspace: Workspace): number {
  return folderSize(trashFolder(workspace))
}

/**
 * Removes the copies that nothing uses; whoever runs their commits again makes them again.
 * @returns what was removed
 * @throws UserError where the cache is a link: what it leads to may be somebody's
 */
export async function cleanCache(workspace: Workspace): Promise<CachedCode[]> {
  const { cacheFolder, root } = workspace.project
  if (!existsSync(cacheFolder)) return []
  refuseLink(dirname(cacheFolder))
  refuseLink(cacheFolder)
  const { gitRoot } = await inspectTree(root)
  return withLock(join(cacheFolder, '.lock'), async () => {
    const unused = cachedCode(workspace).filter(({ isUsed }) => !isUsed)
    for (const { name } of unused) await removeFrozenCode(gitRoot, join(cacheFolder, name))
    return unused
  })
}
