import { groupBy } from '../group-by.js'
import type { Asked } from '../job-environment.js'
import { type GroupStatus, unknownUsage } from './run.js'

/** What groups have used of a resource, and what was asked for: bytes of memory, seconds of time, processors on average. */
export interface ResourceUse {
  readonly resource: 'memory' | 'time' | 'cpus'
  /** Null if the template leaves it open. */
  readonly asked: number | null
  readonly groups: number
  readonly median: number
  readonly most: { readonly used: number; readonly group: number }
  /** What would have been enough with a margin, where more than twice of that was asked for; else null, and for a lower bound. */
  readonly enough: number | null
}

interface FinishedGroup {
  readonly index: number
  readonly status: GroupStatus
  readonly asked: Asked
}

/** The part of the largest use that is left free: other data may need more. */
const margin = 1.25
const resources = ['memory', 'time', 'cpus'] as const

/**
 * What the finished groups of a run have used. Groups for which something else was asked count by themselves; a resource of
 * which nothing is known is left out.
 * @param bounds resources of which it is only known that the groups used at least so much
 */
export function resourceUses(
  groups: readonly FinishedGroup[],
  bounds: readonly ResourceUse['resource'][] = [],
): ResourceUse[] {
  return resources.flatMap(resource => {
    const uses = groups.flatMap(({ index, status, asked }) => {
      const used = useOf(status)[resource]
      return used === null ? [] : [{ used, group: index, asked: asked[resource] }]
    })
    return [...groupBy(uses, ({ asked }) => asked)].map(([asked, same]) => {
      const use = resourceUse(resource, asked, same)
      return bounds.includes(resource) ? { ...use, enough: null } : use
    })
  })
}

function resourceUse(
  resource: ResourceUse['resource'],
  asked: number | null,
  uses: readonly { used: number; group: number }[],
): ResourceUse {
  const sorted = uses.toSorted((one, other) => one.used - other.used)
  const { used, group } = sorted.at(-1)!
  const middle = Math.floor(sorted.length / 2)
  const median = sorted.length % 2 === 1 ? sorted[middle]!.used : (sorted[middle - 1]!.used + sorted[middle]!.used) / 2
  const needed = margin * used
  const enough = resource === 'cpus' ? Math.max(1, Math.ceil(needed)) : Math.ceil(needed)
  const isTooMuch = asked !== null && asked > 2 * enough
  return { resource, asked, groups: uses.length, median, most: { used, group }, enough: isTooMuch ? enough : null }
}

/** Null for what is not known, and for the processors of a group that ended too soon to tell. */
function useOf(status: GroupStatus): Record<ResourceUse['resource'], number | null> {
  if (status.state !== 'finished') return { memory: null, time: null, cpus: null }
  const { peakMemory, cpuTime } = status.used ?? unknownUsage
  const { started, finished } = status
  const time = started === null || finished === null ? null : (finished - started) / 1000
  return { memory: peakMemory, time, cpus: cpuTime === null || time === null || time < 1 ? null : cpuTime / time }
}
