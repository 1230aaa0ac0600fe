import type { MetricSource } from '../../domain/results/metrics.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { ReadOnlyDatabaseError } from '../../errors.js'
import { metricReader } from '../../runfolder/metrics/group-metrics.js'
import { explainDatabase } from '../../store/database.js'
import type { Reading } from '../../store/readings.js'
import { isFolder } from '../../system/files.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** Does what stores new things, unless the project cannot be written: a warning says that what is shown is older then. */
export async function asFarAsStored(workspace: Workspace, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const explained = explainDatabase(error)
    if (!(explained instanceof ReadOnlyDatabaseError)) throw error
    workspace.warn(`${explained.message}: what is new since the last time is left out`)
  }
}

/** Groups whose readings are stored together. */
const atOnce = 500

/**
 * Reads the metrics of groups that have finished since the last time. What was read is not opened again until the group runs
 * again, an action has run, or the experiment says otherwise where its metrics are.
 * @param sources what the experiment declares
 * @param until when to stop although there is more to read than one group, in milliseconds since the epoch
 */
export function takeIn(
  workspace: Workspace,
  runs: readonly Run[],
  sources: readonly MetricSource[],
  until = Number.POSITIVE_INFINITY,
): void {
  const { store } = workspace
  const text = JSON.stringify(sources)
  for (const run of runs) {
    const folder = absolutePath(workspace, run.storagePath)
    // A file system that is not there now must not count as groups without metrics.
    if (!isFolder(folder)) continue
    if (!store.readings.areFrom(run.id, text)) store.transaction(() => store.readings.setSources(run.id, text))
    const read = metricReader(sources, folder)
    let unread = store.readings.unread(run.id, -1, atOnce)
    while (unread.length > 0) {
      const readings: Reading[] = []
      for (const group of unread) {
        readings.push({ ...group, ...read(groupFolder(folder, totalOf(run.counts), group.index)) })
        if (Date.now() >= until) break
      }
      store.transaction(() => store.readings.put(run.id, readings))
      if (Date.now() >= until) return
      unread = store.readings.unread(run.id, unread.at(-1)!.index, atOnce)
    }
  }
}
