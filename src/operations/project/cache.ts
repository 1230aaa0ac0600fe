import { join, relative } from 'node:path'
import { frozenCopies, removeCopies } from '../../code/frozen-copies.js'
import type { Workspace } from '../workspace.js'

/** Frozen code in the cache. */
export interface CachedCode {
  /** Name of its folder: the first digits of its commit, or a dotted name of a copy that a crash has left half-made. */
  readonly name: string
  readonly bytes: number
  /** Ids of the runs that have been executed in it. */
  readonly runs: readonly number[]
  /** Whether something may still be executed in it. */
  readonly isUsed: boolean
}

/** What is in the cache, by name. */
export function cachedCode({ project, store }: Workspace): CachedCode[] {
  const users = store.runs.usersOfFrozenCode()
  return frozenCopies(project.cacheFolder).map(({ name, bytes, isNew }) => {
    const folder = relative(project.root, join(project.cacheFolder, name))
    const runs = users.filter(({ frozen }) => frozen === folder)
    return { name, bytes, runs: runs.map(({ id }) => id), isUsed: isNew || runs.some(({ live }) => live) }
  })
}

/**
 * Removes the copies that nothing uses; whoever runs their commits again makes them again.
 * @returns what was removed
 * @throws UserError where the cache is a link: what it leads to may be somebody's
 */
export function cleanCache(workspace: Workspace): Promise<readonly CachedCode[]> {
  const { cacheFolder, root } = workspace.project
  return removeCopies(root, cacheFolder, () => cachedCode(workspace).filter(({ isUsed }) => !isUsed))
}
