import { relative } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupOfFile } from '../../domain/runs/run-plan.js'
import { stageTargets } from '../../project/data/stage-folder.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Files of an earlier run that a run has read as a dataset. */
export interface ReadRun {
  readonly dataset: string
  readonly run: Run
  /** The indices of its groups, in ascending order; empty for files that are of none. */
  readonly groups: readonly number[]
}

/** The runs, also those in the trash, whose files a run has read. */
export function runsReadBy(workspace: Workspace, run: Run): ReadRun[] {
  const { store, project } = workspace
  const { experiment, datasetPaths } = store.runs.definition(run.id)
  if (datasetPaths.length === 0) return []
  const places = store.runs
    .places()
    .map(({ id, storagePath }) => ({ id, folder: absolutePath(workspace, storagePath) }))
  return experiment.datasets.flatMap((dataset, at) => {
    const path = absolutePath(workspace, datasetPaths[at]!)
    const groups = new Map<number, { readonly run: Run; readonly indices: Set<number> }>()
    for (const target of stageTargets(project, path) ?? [path]) {
      const place = places.find(({ folder }) => `${target}/`.startsWith(`${folder}/`))
      const known = place && (groups.get(place.id)?.run ?? findAnyRun(workspace, place.id))
      if (!place || !known) continue
      const { indices = new Set<number>() } = groups.get(place.id) ?? {}
      const index = groupOfFile(totalOf(known.counts), `${relative(place.folder, target)}/`)
      if (index !== null) indices.add(index)
      groups.set(place.id, { run: known, indices })
    }
    return [...groups.values()].map(({ run: read, indices }) => ({
      ...{ dataset, run: read },
      groups: [...indices].sort((one, other) => one - other),
    }))
  })
}

function findAnyRun({ store }: Workspace, id: number): Run | null {
  return store.runs.find(id) ?? store.runs.deleted().find(each => each.id === id) ?? null
}

/** The runs that have read files of a run. */
export function readersOf(workspace: Workspace, { storagePath }: Run): Run[] {
  const { store, project } = workspace
  const folder = `${absolutePath(workspace, storagePath)}/`
  const isInside = (path: string) => {
    const place = absolutePath(workspace, path)
    return (stageTargets(project, place) ?? [place]).some(target => `${target}/`.startsWith(folder))
  }
  const known = new Map<string, boolean>()
  const reads = (path: string) => {
    known.set(path, known.get(path) ?? isInside(path))
    return known.get(path)!
  }
  const ids = new Set(store.data.places().flatMap(({ run, path }) => (reads(path) ? [run] : [])))
  return [...ids].flatMap(id => store.runs.find(id) ?? [])
}
