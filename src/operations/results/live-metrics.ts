import { type Metrics, nothingExpected, type Points } from '../../domain/results/metrics.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { metricReader, pointReader } from '../../runfolder/metrics/group-metrics.js'
import { GrowingFiles } from '../../runfolder/metrics/growing-files.js'
import { readNow } from '../../runfolder/metrics/read-text.js'
import type { Store } from '../../store/store.js'
import { readFolder, type Workspace } from '../workspace.js'

/** What this process has read of the groups of a run that run. */
class LiveRun {
  private readonly files = new GrowingFiles()
  private readonly metrics: ReturnType<typeof metricReader>
  private readonly points: ReturnType<typeof pointReader>
  private readonly looked = new Set<number>()

  /** @param sources what the experiment declares, as JSON @param place of the run */
  constructor(
    readonly sources: string,
    private readonly place: ReturnType<typeof readFolder>,
    private readonly total: number,
  ) {
    this.metrics = metricReader(JSON.parse(sources), place, this.files)
    this.points = pointReader(JSON.parse(sources), place.path, this.files)
  }

  metricsOf(index: number): Metrics {
    return this.read(index, folder => this.metrics(folder)?.metrics) ?? {}
  }

  pointsOf(index: number, metric: string): Points | null {
    return this.read(index, folder => this.points(folder, metric))
  }

  private read<Read>(index: number, read: (folder: string) => Read): Read | null {
    this.looked.add(index)
    // What cannot be read now is read when the group has finished, and a warning says so then.
    return readNow(
      () => read(this.folderOf(index)),
      () => {},
    )
  }

  /** Forgets the groups that run no more. */
  keepOnly(running: ReadonlySet<number>): void {
    for (const index of this.looked) {
      if (running.has(index)) continue
      this.files.forget(this.folderOf(index))
      this.looked.delete(index)
    }
  }

  private folderOf(index: number): string {
    return groupFolder(this.place.path, this.total, index)
  }
}

const known = new WeakMap<Store, Map<number, LiveRun>>()

/**
 * What groups of a run that run have left so far, as far as it is on this machine. A process that looks again reads only what is
 * new. Nothing of it is stored, and it counts in no mean.
 * @param wanted the indices of groups; null for all
 * @param until when to stop, in milliseconds since the epoch
 * @returns those of which there are metrics, by their indices
 */
export function liveMetrics(
  workspace: Workspace,
  run: Run,
  wanted: readonly number[] | null = null,
  until = Number.POSITIVE_INFINITY,
): Map<number, Metrics> {
  const found = new Map<number, Metrics>()
  const running = runningGroups(workspace, run)
  const live = liveRun(workspace, run, running)
  for (const index of wanted ?? running) {
    if (!running.has(index)) continue
    if (Date.now() >= until) break
    const metrics = live?.metricsOf(index) ?? {}
    if (Object.keys(metrics).length > 0) found.set(index, metrics)
  }
  return found
}

/** All values of a series of a group that runs, see {@link liveMetrics}; null if there is none. */
export function livePoints(workspace: Workspace, run: Run, index: number, metric: string): Points | null {
  return liveRun(workspace, run, runningGroups(workspace, run))?.pointsOf(index, metric) ?? null
}

function runningGroups({ store }: Workspace, { id, counts }: Run): ReadonlySet<number> {
  return new Set(counts.running === 0 ? [] : store.pages.groupsIn(id, 'running', 0, counts.running))
}

/** Null if no group runs. */
function liveRun(workspace: Workspace, run: Run, running: ReadonlySet<number>): LiveRun | null {
  const { store } = workspace
  const runs = known.get(store) ?? new Map<number, LiveRun>()
  known.set(store, runs)
  if (running.size === 0) {
    runs.delete(run.id)
    return null
  }
  const { metrics } = store.experiments.find(run.experiment)?.results ?? nothingExpected
  const sources = JSON.stringify(metrics)
  let live = runs.get(run.id)
  if (live?.sources !== sources) live = new LiveRun(sources, readFolder(workspace, run), totalOf(run.counts))
  runs.set(run.id, live)
  live.keepOnly(running)
  return live
}
