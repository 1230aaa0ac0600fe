import { join, relative } from 'node:path'
import { copySize, frozenCopies, leftIn, removeCopies } from '../../code/frozen/frozen-copies.js'
import { madeBeside } from '../../code/frozen/ignored-paths.js'
import { removeStageFolders } from '../../project/data/stage-folder.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { copiesOfShells, removeDeadShells } from '../launch/shell/live-shells.js'
import { storedPath, type Workspace } from '../workspace.js'

/** A frozen copy in the cache. */
export interface CachedCode {
  /** Name of its folder: the first digits of its commit, or a dotted temporary name left by a crash. */
  readonly name: string
  readonly bytes: number
  /** Ids of the runs that ran in it. */
  readonly runs: readonly number[]
  /** Whether a live run may still use it. */
  readonly isUsed: boolean
}

/** The copies in the cache, by name. */
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
  return { ...copy, bytes: copySize(project.cacheFolder, copy.name) }
}

/** What stays in the cache. */
export interface Kept {
  readonly name: string
  /**
   * The paths of files that scripts have left in a copy; `written` for what they have written beside the copies as
   * `../NAME`, `foreign` for anything else that git does not know as one of our copies.
   */
  readonly left: readonly string[] | 'written' | 'foreign'
}

/** What became of the copies that no live run uses. */
export interface CleanedCache {
  readonly removed: readonly CachedCode[]
  readonly kept: readonly Kept[]
  /** Whether live runs use others. */
  readonly hasUsed: boolean
  /** How many folders of links to files of groups are gone, which no run has read. */
  readonly stages: number
}

/** Removes the copies that no live run uses and that contain only their commit; another run of it makes its copy again. */
export async function cleanCache(workspace: Workspace): Promise<CleanedCache> {
  const { project } = workspace
  await removeDeadShells(workspace, workspace.here)
  const unused = () => copiesOf(workspace).filter(({ isUsed }) => !isUsed)
  // Measured before the lock is taken: sizes take a walk through every file, and no launch should wait for that.
  const sizes = new Map(unused().map(copy => [copy.name, measured(workspace, copy)]))
  return withProjectLock(project, 'code', async () => {
    const kept = madeBeside(project.cacheFolder).map((name): Kept => ({ name, left: 'written' }))
    const shells = await copiesOfShells(workspace)
    for (const { name } of unused().filter(copy => !shells.has(copy.name))) {
      const left = await leftIn(project.root, join(project.cacheFolder, name))
      if (left?.length !== 0) kept.push({ name, left: left ?? 'foreign' })
    }
    const isKept = (name: string) => kept.some(copy => copy.name === name)
    const removed = unused().flatMap(({ name }) => (isKept(name) || shells.has(name) ? [] : (sizes.get(name) ?? [])))
    await removeCopies(project.root, project.cacheFolder, removed)
    const stages = await cleanStages(workspace)
    return { removed, kept, stages, hasUsed: shells.size > 0 || copiesOf(workspace).some(({ isUsed }) => isUsed) }
  })
}

/** Runs in the trash may come back. */
function cleanStages(workspace: Workspace): Promise<number> {
  const { project, store } = workspace
  return withProjectLock(project, 'stages', async () => {
    const read = new Set(store.data.allPlaces())
    return removeStageFolders(project, folder => read.has(storedPath(workspace, folder)))
  })
}
