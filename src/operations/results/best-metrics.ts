import { type GridParameter, gridParameters, varies } from '../../domain/parameters/group-parameters.js'
import { type BestMetric, bestAmong, type ListedRun } from '../../domain/results/best.js'
import { type ExpectedResults, nothingExpected } from '../../domain/results/metrics.js'
import type { Run } from '../../domain/runs/run.js'
import { storingReadings } from '../as-far-as-stored.js'
import type { Workspace } from '../workspace.js'
import { liveMetrics } from './live-metrics.js'

/** How long a list reads metrics that are new, in milliseconds, where nothing else is said. */
export const readingTime = 300

/** Runs for a list. */
export interface Listing {
  /** In the order in which they were given. */
  readonly runs: readonly ListedRun[]
  /** The metrics for which their experiments say what is best. */
  readonly metrics: readonly string[]
  /** How many of the runs have metrics that there was no time to read. */
  readonly late: number
}

/**
 * Adds the best metrics to runs, which are not copied: V8 needs twenty times as long for a copy with another property. What
 * is new is read, the first runs first, as far as there is time, and then what groups that run have left so far.
 * @param time in milliseconds
 */
export async function listing(workspace: Workspace, runs: readonly Run[], time = readingTime): Promise<Listing> {
  const until = Date.now() + time
  const declared = declaredBest(workspace, runs)
  // Runs of which nothing has finished, or whose experiment declares nothing, need no look at metrics.
  const asked = runs.filter(run => run.counts.finished > 0 && declared.has(run.experiment))
  const best = new Map<number, readonly BestMetric[]>()
  for (const [experiment, results] of declared) {
    const ids = asked.filter(run => run.experiment === experiment).map(({ id }) => id)
    for (const [id, known] of workspace.store.readings.best(ids, results)) best.set(id, known)
  }
  const changed = asked.filter(({ id }) => !best.has(id))
  const late = changed.length === 0 ? 0 : await addNew(workspace, changed, declared, best, time)
  for (const run of runs) {
    const soFar = bestSoFar(workspace, run, declared, until)
    if (soFar.length > 0) Object.assign(run, { soFar })
  }
  const unknown = new Set(asked.map(({ id }) => id).filter(id => !best.has(id)))
  return {
    runs: runs.map(run => Object.assign(run, { best: unknown.has(run.id) ? null : (best.get(run.id) ?? []) })),
    metrics: namesIn(declared),
    late,
  }
}

function bestSoFar(workspace: Workspace, run: Run, declared: ReadonlyMap<string, ExpectedResults>, until: number) {
  const results = declared.get(run.experiment)
  if (results === undefined || run.counts.running === 0 || Date.now() >= until) return []
  return bestAmong(liveMetrics(workspace, run, null, until), results.best)
}

/** The metrics for which the experiments of runs say what is best. */
export function metricsCalledBest(workspace: Workspace, runs: readonly Run[]): string[] {
  return namesIn(declaredBest(workspace, runs))
}

function namesIn(declared: ReadonlyMap<string, ExpectedResults>): string[] {
  return [...new Set([...declared.values()].flatMap(({ best }) => Object.keys(best)))]
}

/** Grids with more text than this, or more groups if they have to be looked at one by one, are not read for a list. */
const largestGrid = 20_000
const mostGroups = 500

/**
 * Adds the parameters of runs, as far as they are found at once, those first that tell the runs apart. Runs are not copied, as by
 * {@link listing}.
 */
export function withParameters<Listed extends Run>({ store }: Workspace, runs: readonly Listed[]): Listed[] {
  const ids = runs.map(({ id }) => id)
  const grids = store.pages.grids(ids, largestGrid)
  const different = [...new Set(grids.values())]
  const found = new Map(different.map(grid => [grid, gridParameters(grid, mostGroups)]))
  const values = new Map<string, Set<string>>()
  for (const parameter of [...found.values()].flatMap(parameters => parameters ?? [])) {
    const { name, values: own } = parameter
    if (!varies(parameter)) values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(own)))
  }
  // What varies within a run comes first, then what has most values in the list.
  const rankOf = (parameter: GridParameter) =>
    varies(parameter) ? Number.MIN_SAFE_INTEGER : -values.get(parameter.name)!.size
  const inOrder = new Map(
    different.map(grid => [grid, found.get(grid)?.toSorted((one, other) => rankOf(one) - rankOf(other))]),
  )
  return runs.map(run => {
    const parameters = inOrder.get(grids.get(run.id)!)
    return parameters ? Object.assign(run, { parameters }) : run
  })
}

function declaredBest({ store }: Workspace, runs: readonly Run[]): Map<string, ExpectedResults> {
  const names = [...new Set(runs.map(({ experiment }) => experiment))]
  const all = names.map(name => [name, store.experiments.find(name)?.results ?? nothingExpected] as const)
  return new Map(all.filter(([, { best }]) => Object.keys(best).length > 0))
}

/** Reads metrics that are new, and adds the best ones of runs that have no others. @returns for how many there was no time */
async function addNew(
  workspace: Workspace,
  runs: readonly Run[],
  declared: ReadonlyMap<string, ExpectedResults>,
  best: Map<number, readonly BestMetric[]>,
  time: number,
): Promise<number> {
  const { store } = workspace
  const { indexMetrics } = await import('./index-metrics.js')
  const until = Date.now() + time
  const looked: Run[] = []
  for (const run of runs) {
    if (Date.now() >= until) break
    indexMetrics(workspace, [run], declared.get(run.experiment)!.metrics, until)
    looked.push(run)
  }
  const isOver = Date.now() >= until
  // Together, since each transaction waits for the disk.
  storingReadings(workspace, () => {
    store.transaction(() => {
      for (const { id, experiment } of looked) store.readings.findBest(id, declared.get(experiment)!.best)
    })
  })
  for (const { id, experiment } of looked) {
    for (const found of store.readings.best([id], declared.get(experiment)!)) best.set(...found)
  }
  return isOver ? runs.filter(({ id }) => !best.has(id)).length : 0
}
