import type { Clock } from '../../domain/runs/judge-run.js'
import type { Run } from '../../domain/runs/run.js'
import type { Runner } from '../../runners/types.js'
import { runnerOf, type Workspace } from '../workspace.js'

/** The milliseconds between two visits to a runner, unless somebody asks for one. */
function intervalOf({ config }: Workspace, { site }: Runner): number {
  return 1000 * (site.pollInterval ?? config.pollInterval)
}

/** How many times as long as usual the time between two visits becomes at most: a quarter of an hour instead of two minutes. */
const slowest = 7.5

/**
 * How old the last answer of a runner may be for a list, in milliseconds. Another machine is asked half as often each time it
 * has nothing to say, or cannot be reached.
 */
export function politeAgeOf(workspace: Workspace, runner: Runner): number {
  const interval = intervalOf(workspace, runner)
  if (runner.site.isHere) return interval
  const { store } = workspace
  const live = store.runs.live().filter(run => runnerOf(workspace, run) === runner)
  const sinceChange = Date.now() - Math.max(0, ...live.map(({ id }) => store.attempts.lastEvent(id)))
  return Math.max(interval, Math.min(sinceChange, slowest * interval))
}

/** The shortest time between two visits to another machine, in milliseconds. */
const shortestInterval = 2000

/**
 * The milliseconds between two visits to a runner while somebody waits for a run. A run on another machine that was launched just
 * now may end soon: it is asked for twice as long after its launch each time, until the usual interval is over.
 */
export function waitingIntervalOf(workspace: Workspace, runner: Runner, { id }: Run): number {
  const interval = intervalOf(workspace, runner)
  if (runner.site.isHere) return interval
  const age = Date.now() - workspace.store.attempts.lastLaunch(id)
  return Math.min(interval, Math.max(shortestInterval, age / 2))
}

/** Whether commands ask it only once in an interval: a scheduler, and every other machine. */
export function isPolledRarely({ site, kind }: Runner): boolean {
  return !site.isHere || kind.traits.has('polledRarely')
}

/** The clock by which runs of a runner are judged. */
export function clockOf({ config }: Workspace, { kind }: Runner): Clock {
  return { now: Date.now(), grace: kind.traits.has('lags') ? 1000 * config.grace : 0 }
}
