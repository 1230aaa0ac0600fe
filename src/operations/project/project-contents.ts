import type { RunStatus } from '../../domain/runs/run.js'
import { folderSize } from '../../system/folder-size.js'
import { openRuns, refreshRuns } from '../refresh/refresh-runs.js'
import { resultFolder, type Workspace } from '../workspace.js'

/** How much of everything a project holds. */
export interface ProjectContents {
  readonly counts: {
    readonly experiments: number
    readonly datasets: number
    readonly documents: number
    readonly runs: Readonly<Partial<Record<RunStatus, number>>>
  }
  /** Bytes; null where they were not asked for. */
  readonly sizes: { readonly results: number; readonly cache: number } | null
}

/** Counts what a project holds, with its live runs as they are now. @param sizes whether its files are measured, too */
export async function projectContents(workspace: Workspace, sizes: boolean): Promise<ProjectContents> {
  const { store, project } = workspace
  await refreshRuns(workspace, openRuns(workspace))
  return {
    counts: {
      experiments: store.experiments.names().length,
      datasets: store.datasets.list().length,
      documents: store.documents.names().length,
      runs: store.runs.countByStatus(),
    },
    sizes: sizes ? { results: folderSize(resultFolder(workspace)), cache: folderSize(project.cacheFolder) } : null,
  }
}
