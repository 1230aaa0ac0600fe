import type { RunStatus } from '../../domain/runs/run.js'
import { sizesOf } from '../../project/result-folder.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { openRuns, refreshRuns } from '../refresh/refresh-runs.js'
import { type Broken, brokenDefinitions } from '../registry/follow-definitions.js'
import { resultFolder, type Workspace } from '../workspace.js'

/** Counts and sizes of everything in a project. */
export interface ProjectContents {
  readonly counts: {
    readonly experiments: number
    readonly datasets: number
    readonly documents: number
    readonly runs: Readonly<Partial<Record<RunStatus, number>>>
  }
  /** Definitions that cannot be used now. */
  readonly broken: readonly Broken[]
  /** In bytes; null if they were not asked for. */
  readonly sizes: { readonly results: number; readonly cache: number } | null
}

/** Counts everything in a project, after refreshing its live runs. @param sizes whether to measure its files */
export async function projectContents(workspace: Workspace, sizes: boolean): Promise<ProjectContents> {
  const { store, project } = workspace
  await asFarAsStored(workspace, () => refreshRuns(workspace, openRuns(workspace)))
  return {
    counts: {
      experiments: store.experiments.names().length,
      datasets: store.datasets.list().length,
      documents: store.documents.names().length,
      runs: store.runs.countByStatus(),
    },
    broken: brokenDefinitions(store),
    sizes: sizes ? sizesOf(project, resultFolder(workspace)) : null,
  }
}
