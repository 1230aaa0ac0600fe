import type { MetricSource } from '../../domain/results/metrics.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { metricReader } from '../../runfolder/metrics/group-metrics.js'
import { isFolder } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Groups whose readings are stored together. */
const atOnce = 500

/**
 * Reads the metrics of groups that have finished since the last time. What was read is not opened again until the group runs
 * again, an action has run, or the experiment says otherwise where its metrics are.
 * @param sources what the experiment declares
 */
export function takeIn(workspace: Workspace, runs: readonly Run[], sources: readonly MetricSource[]): void {
  const { store } = workspace
  const text = JSON.stringify(sources)
  for (const run of runs) {
    const folder = absolutePath(workspace, run.storagePath)
    // A file system that is not there now must not count as groups without metrics.
    if (!isFolder(folder)) continue
    store.transaction(() => store.readings.setSources(run.id, text))
    const unread = store.readings.unread(run.id)
    const read = metricReader(sources, folder)
    for (let first = 0; first < unread.length; first += atOnce) {
      const readings = unread
        .slice(first, first + atOnce)
        .map(group => ({ ...group, ...read(groupFolder(folder, totalOf(run.counts), group.index)) }))
      store.transaction(() => store.readings.put(run.id, readings))
    }
  }
}
