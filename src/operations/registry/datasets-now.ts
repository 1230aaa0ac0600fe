import { basename, join, relative } from 'node:path'
import type { StoredDataset } from '../../domain/dataset.js'
import type { Launch } from '../../domain/runs/launch.js'
import { whatIsAt } from '../../project/paths.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** What a run was given to read. */
type Read = Pick<Launch, 'experiment' | 'datasetPaths'>

/**
 * The present registrations of the datasets that runs have read. A dataset may have been renamed or moved since: the
 * dataset at the path that the run was given is meant, or, if there is none, the one with the recorded name.
 */
export class DatasetsNow {
  private readonly registered: readonly StoredDataset[]

  constructor(private readonly workspace: Workspace) {
    this.registered = workspace.store.datasets.list()
  }

  /** By the names that a run recorded; those that are not registered any more are left out. */
  of({ experiment, datasetPaths }: Read): ReadonlyMap<string, StoredDataset> {
    const found = new Map<string, StoredDataset>()
    for (const [at, name] of experiment.datasets.entries()) {
      const there = this.at(datasetPaths[at] ?? '', name)
      if (there) found.set(name, there)
    }
    const taken = new Set([...found.values()].map(({ name }) => name))
    for (const name of experiment.datasets) {
      const same = this.registered.find(each => each.name === name)
      if (same && !found.has(name) && !taken.has(name)) found.set(name, same)
    }
    return found
  }

  /** The names that the datasets of a run have now, in their order; of those that are not registered any more, the former ones. */
  namesOf(definition: Read): string[] {
    const now = this.of(definition)
    return definition.experiment.datasets.map(name => now.get(name)?.name ?? name)
  }

  /** The datasets of a run with the places that it was given, as they are registered now: `iris: data/iris`. */
  placesOf(definition: Read): string[] {
    const now = this.of(definition)
    return definition.experiment.datasets.map((name, at) => {
      const given = definition.datasetPaths[at] ?? ''
      const there = this.at(given, name)
      if (there) return `${there.name}: ${there.path}`
      return `${now.get(name)?.name ?? name}: ${given}${now.has(name) ? '' : ' (deleted)'}`
    })
  }

  /** The dataset at a path that a run was given, perhaps in its frozen copy; of several, the one of that name. */
  at(given: string, name: string): StoredDataset | null {
    const there = this.registered.filter(({ path }) => path !== null && isPlace(this.workspace, path, given))
    return there.find(each => each.name === name) ?? there[0] ?? null
  }
}

/** Whether a path that a run was given is that of a dataset. @param path of the dataset, as stored */
function isPlace(workspace: Workspace, path: string, given: string): boolean {
  const { root, cacheFolder } = workspace.project
  const place = absolutePath(workspace, given)
  if (!place.startsWith(`${cacheFolder}/`)) return place === absolutePath(workspace, path)
  const inCopy = relative(cacheFolder, place).split('/').slice(1).join('/')
  // The project may be a folder of its repository.
  const above = inCopy.endsWith(`/${path}`) ? inCopy.slice(0, -path.length - 1) : null
  return inCopy === path || (above !== null && root.endsWith(`/${above}`))
}

/**
 * Where the copy of a dataset that was sent to a context lies there: its path, if the project were there.
 * @param path of the dataset, absolute
 */
export function pushedPath({ project }: Pick<Workspace, 'project'>, name: string, path: string): string {
  return join(pushedFolder({ project }, name), basename(path))
}

/** The folder around it. */
export function pushedFolder({ project }: Pick<Workspace, 'project'>, name: string): string {
  return join(project.root, '.qanat/datasets', name)
}

/** Warns of missing paths; they may exist on the nodes. */
export function warnOfMissing(workspace: Workspace, paths: readonly string[]): void {
  const missing = paths.filter(path => whatIsAt(path) === null)
  for (const path of missing)
    workspace.warn(`the dataset path ${path} is not on this machine${trashedWith(workspace, path)}`)
}

/** Whether the data of a dataset are here; they may be on the nodes. @param path as it is stored */
export function isOnThisMachine(workspace: Workspace, path: string): boolean {
  return whatIsAt(absolutePath(workspace, path)) !== null
}

/** Where a path is that lay in a deleted run, as the rest of a sentence; empty for any other. @param path as it is stored */
export function trashedWith(workspace: Workspace, path: string): string {
  const place = `${absolutePath(workspace, path)}/`
  const deleted = workspace.store.runs.deleted()
  const run = deleted.find(({ storagePath }) => place.startsWith(`${absolutePath(workspace, storagePath)}/`))
  return run ? `: it lay in run ${run.id}, which is in the trash (qanat trash restore ${run.id} brings it back)` : ''
}
