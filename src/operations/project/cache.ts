import { dirname, join, relative } from 'node:path'
import { frozenCopies, removeCopies } from '../../code/frozen-copies.js'
import { frozenName } from '../../code/run-code.js'
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

function copiesOf(workspace: Workspace): Copy[] {
  const { project, store } = workspace
  const users = store.runs.usersOfFrozenCode()
  const live = liveCode(workspace)
  return frozenCopies(project.cacheFolder).map(name => {
    const folder = relative(project.root, join(project.cacheFolder, name))
    const runs = users.filter(({ frozen }) => frozen === folder)
    return { name, runs: runs.map(({ id }) => id), isUsed: live.has(name) }
  })
}

/** Names of the copies that live runs may use. One that began in the tree itself uses the copy of its code once it is retried. */
function liveCode({ store }: Workspace): Set<string> {
  return new Set(
    store.runs.live().map(({ id, commit }) => {
      const { tree } = store.runs.launch(id)
      return frozenName({ commit, patch: tree === null ? null : { tree } })
    }),
  )
}

function measured({ project }: Workspace, copy: Copy): CachedCode {
  return { ...copy, bytes: folderSize(join(project.cacheFolder, copy.name)) }
}

/**
 * Removes the copies that nothing uses; whoever runs their commits again makes them again.
 * @returns what was removed
 * @throws UserError where the cache is a link: what it leads to may be somebody's
 */
export async function cleanCache(workspace: Workspace): Promise<readonly CachedCode[]> {
  const { project } = workspace
  if (!exists(project.cacheFolder)) return []
  for (const path of [dirname(project.cacheFolder), project.cacheFolder]) refuseLink(path)
  const unused = () => copiesOf(workspace).filter(({ isUsed }) => !isUsed)
  // Sizes take a walk through every file, for which no launch should wait.
  const sizes = new Map(unused().map(copy => [copy.name, measured(workspace, copy)]))
  return alone(project, 'code', async () => {
    const removed = unused().flatMap(({ name }) => sizes.get(name) ?? [])
    await removeCopies(project.root, project.cacheFolder, removed)
    return removed
  })
}
