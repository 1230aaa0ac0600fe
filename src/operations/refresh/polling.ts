import type { Clock } from '../../domain/runs/judge-run.js'
import type { Runner } from '../../runners/types.js'
import type { Workspace } from '../workspace.js'

/** The milliseconds between two visits to a runner, unless somebody asks for one. */
export function intervalOf({ config }: Workspace, { site }: Runner): number {
  return 1000 * (site.pollInterval ?? config.pollInterval)
}

/** Whether commands ask it only once in an interval: a scheduler, and every other machine. */
export function isPolledRarely({ site, kind }: Runner): boolean {
  return !site.isHere || kind.traits.has('polledRarely')
}

/** The clock by which runs of a runner are judged. */
export function clockOf({ config }: Workspace, { kind }: Runner): Clock {
  return { now: Date.now(), grace: kind.traits.has('lags') ? 1000 * config.grace : 0 }
}
