import { basename, dirname, join, relative } from 'node:path'
import type { Run } from '../../domain/runs/run.js'
import { fewOf } from '../../domain/text/names.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { RunFiles } from '../../runfolder/metrics/group-metrics.js'
import { isInside, withoutLinks } from '../../runfolder/storage-path.js'
import { isOwnFolder, placeInTrash } from '../../runfolder/trash.js'
import type { Place } from '../../store/run-rows.js'
import { exists } from '../../system/files.js'
import { absolutePath, resultFolder, storedPath, type Workspace } from '../workspace.js'

// The folder of a run should not lie in the folder of another run: it would be moved to the trash and deleted with that
// one. There are two exceptions: an earlier version allowed it, and a run may have been given a folder in which an
// experiment later stores its runs.

/**
 * The forms in which a folder may be stored. If the result folder is a link, runs in it may have the path of the link
 * or of its target.
 */
function storedForms(workspace: Workspace, folder: string): string[] {
  const results = resultFolder(workspace)
  const [real, realResults] = [withoutLinks(folder), withoutLinks(results)]
  const inResults = isInside(real, realResults) ? join(results, relative(realResults, real)) : real
  return [folder, real, inResults].map(path => storedPath(workspace, path))
}

/** The runs, also deleted ones, whose folders lie in a folder or are that folder. @param folder absolute; it need not exist */
export function runsIn(workspace: Workspace, folder: string): Place[] {
  const stored = storedForms(workspace, folder)
  return workspace.store.runs.places(stored).filter(place => stored.some(path => isInside(place.storagePath, path)))
}

/**
 * Which files in the folder of a run belong to other runs, whose folders lie in it.
 * @param folder absolute
 * @returns a function of a path relative to the folder
 */
export function ofOthers(workspace: Workspace, folder: string): (path: string) => boolean {
  const real = withoutLinks(folder)
  const places = runsIn(workspace, folder).map(place => withoutLinks(absolutePath(workspace, place.storagePath)))
  const others = places.filter(place => place !== real).map(place => relative(real, place))
  return path => others.some(other => isInside(path, other))
}

/**
 * The same for many runs: which runs lie in others is found out once, and only if it is asked.
 * @returns a function of a run
 */
export function filesOfRuns(workspace: Workspace): (run: Pick<Run, 'id' | 'storagePath'>) => RunFiles {
  let nested: NestedRuns | null = null
  return ({ id, storagePath }) => {
    const folder = absolutePath(workspace, storagePath)
    let isInOther: ReturnType<typeof ofOthers> | null = null
    const isOthers = (path: string) => {
      nested ??= nestedRuns(workspace)
      if (!nested.has(id)) return false
      isInOther ??= ofOthers(workspace, folder)
      return isInOther(path)
    }
    return { folder, isOthers }
  }
}

/**
 * @param folder that was given for a new run as `--storage_path`, absolute; it need not exist
 * @throws UserError if it lies in the folder of another run, or around it
 */
export function refuseNested(workspace: Workspace, folder: string): void {
  const { store } = workspace
  const stored = storedForms(workspace, folder)
  for (const { id, storagePath, deleted } of store.runs.places(stored)) {
    const run = `${deleted ? 'the deleted run' : 'run'} ${id}, ${storagePath}`
    const emptying = deleted ? '\nqanat trash empty        removes deleted runs for good' : ''
    const hint = `name a folder outside of those of other runs${emptying}`
    if (stored.some(path => path !== storagePath && isInside(storagePath, path)))
      throw new UserError(`--storage_path ${folder} would hold the folder of ${run}`, hint)
    // What is in the former place of a deleted run stays when that is restored.
    if (deleted && !exists(absolutePath(workspace, storagePath))) continue
    const isSame = stored.includes(storagePath)
    if (isSame && deleted) continue
    throw new UserError(`--storage_path ${folder} ${isSame ? 'is' : 'lies in'} the folder of ${run}`, hint)
  }
  const [parent, experiment] = [dirname(withoutLinks(folder)), basename(withoutLinks(folder))]
  if (parent === withoutLinks(resultFolder(workspace)) && store.experiments.find(experiment)) {
    throw new UserError(
      `--storage_path ${folder} is used for all runs of ${experiment}`,
      `name a folder inside it: --storage_path ${join(folder, 'NAME')}`,
    )
  }
}

/** The runs whose folders lie in the folder of another run and that are not deleted, by the id of the outer run. */
export type NestedRuns = ReadonlyMap<number, readonly Place[]>

/** All runs whose folders lie in the folder of another run, even if that one is in the trash. Links are followed. */
export function nestedRuns(workspace: Workspace): NestedRuns {
  const results = resultFolder(workspace)
  const trashed = (id: number) => placeInTrash(results, id)
  const places = workspace.store.runs.places()
  const real = resolver()
  const realFolder = (place: Place) => real(absolutePath(workspace, place.storagePath))
  const outer = new Map<string, Place>()
  for (const place of places) {
    outer.set(realFolder(place), place)
    if (place.deleted) outer.set(real(trashed(place.id)), place)
  }
  /** Whether the folder of the outer run would take that of the inner one along. */
  const isHeld = (inner: Place, { id, storagePath, token, deleted }: Place, path: string): boolean => {
    if (deleted && exists(join(trashed(id), path))) return true
    const folder = absolutePath(workspace, storagePath)
    // Anything else in the place of a run's folder stays where it is.
    const isStill = exists(folder) && isOwnFolder(results, folder, token)
    return isStill && exists(absolutePath(workspace, inner.storagePath))
  }
  const nested = new Map<number, Place[]>()
  for (const inner of places) {
    if (inner.deleted) continue
    const folder = realFolder(inner)
    for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
      const place = outer.get(above)
      if (place && isHeld(inner, place, relative(above, folder)))
        nested.set(place.id, [...(nested.get(place.id) ?? []), inner])
    }
  }
  return nested
}

/** Resolves links, but asks the file system only once for each folder of runs: the folder of a run is hardly ever a link. */
function resolver(): (path: string) => string {
  const known = new Map<string, string>()
  return path => {
    if (!/\/run_\d+$/.test(path)) return withoutLinks(path)
    const parent = dirname(path)
    const real = known.get(parent) ?? withoutLinks(parent)
    known.set(parent, real)
    return join(real, basename(path))
  }
}

/** @throws UserError if the folder of a run that is to be deleted holds that of another one */
export function refuseHolder(
  workspace: Workspace,
  nested: NestedRuns,
  run: { readonly id: number; readonly storagePath: string },
): void {
  const inside = nested.get(run.id) ?? []
  const [inner] = inside
  if (!inner) return
  const runs = `run${inside.length === 1 ? '' : 's'} ${fewOf(inside.map(({ id }) => String(id)))}`
  const kept = quoteWord(storedPath(workspace, join(resultFolder(workspace), 'kept')))
  throw new UserError(
    `run ${run.id} was kept: its folder ${run.storagePath} holds the folder of ${runs}`,
    `qanat run_delete ${inner.id}        deletes run ${inner.id} first
mkdir -p ${kept} && mv ${quoteWord(inner.storagePath)} ${kept}/run_${inner.id} && qanat doctor --repair        keeps it`,
  )
}
