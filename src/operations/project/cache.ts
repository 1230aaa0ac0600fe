import { dirname, join, relative } from 'node:path'
import { frozenCopies, removeCopies } from '../../code/frozen-copies.js'
import { leftIn } from '../../code/left-behind.js'
import { exists, refuseLink } from '../../system/files.js'
import { folderSize } from '../../system/folder-size.js'
import { alone } from '../alone.js'
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
export function cachedCode(workspace: Workspace): CachedCode[] {
  return copiesOf(workspace).map(copy => measured(workspace, copy))
}

type Copy = Omit<CachedCode, 'bytes'>

function copiesOf({ project, store }: Workspace): Copy[] {
  const live = new Set(store.runs.live().map(({ frozen }) => frozen))
  const users = store.runs.usersOfFrozenCode()
  return frozenCopies(project.cacheFolder).map(name => {
    const folder = relative(project.root, join(project.cacheFolder, name))
    const runs = users.filter(({ frozen }) => frozen === folder)
    return { name, runs: runs.map(({ id }) => id), isUsed: live.has(folder) }
  })
}

function measured({ project }: Workspace, copy: Copy): CachedCode {
  return { ...copy, bytes: folderSize(join(project.cacheFolder, copy.name)) }
}

/** What became of the copies that nothing uses. */
export interface CleanedCache {
  readonly removed: readonly CachedCode[]
  /** Those in which scripts have left files, with their paths in the copy. */
  readonly kept: readonly { readonly name: string; readonly left: readonly string[] }[]
}

/**
 * Removes the copies that nothing uses and that hold nothing but what their commit has: whoever runs it again makes them
 * again.
 * @throws UserError where the cache is a link: what it leads to may be somebody's
 */
export async function cleanCache(workspace: Workspace): Promise<CleanedCache> {
  const { project } = workspace
  if (!exists(project.cacheFolder)) return { removed: [], kept: [] }
  for (const path of [dirname(project.cacheFolder), project.cacheFolder]) refuseLink(path)
  const unused = () => copiesOf(workspace).filter(({ isUsed }) => !isUsed)
  // Sizes take a walk through every file, for which no launch should wait.
  const sizes = new Map(unused().map(copy => [copy.name, measured(workspace, copy)]))
  return alone(project, 'code', async () => {
    const kept: { name: string; left: readonly string[] }[] = []
    for (const { name } of unused()) {
      const left = await leftIn(join(project.cacheFolder, name))
      if (left.length > 0) kept.push({ name, left })
    }
    const isKept = (name: string) => kept.some(copy => copy.name === name)
    const removed = unused().flatMap(({ name }) => (isKept(name) ? [] : (sizes.get(name) ?? [])))
    await removeCopies(project.root, project.cacheFolder, removed)
    return { removed, kept }
  })
}
