import type { GroupCounts } from './run.js'

/** How long the groups of a run take, by the times of the groups themselves; in milliseconds. */
export interface Pace {
  /** Groups that have run to an end of their own, and how long all of them took together. */
  readonly ended: number
  readonly took: number
  /** Groups that run, and the sum of their starts since the epoch. */
  readonly running: number
  readonly starts: number
}

/**
 * How long a run will still take if its groups take as long as those that have ended, and as many run at a time as now.
 * Null if nothing is left, or if it cannot be told, for example when the last groups already take longer than the
 * others took. It does not depend on who looks, or since when.
 */
export function timeLeft(counts: GroupCounts, { ended, took, running, starts }: Pace, now: number): number | null {
  const waiting = counts.pending + counts.held
  if (ended === 0 || waiting + running === 0) return null
  const each = took / ended
  const underWay = Math.max(0, running * each - (running * now - starts))
  const left = (waiting * each + underWay) / Math.max(1, running)
  return left > 0 ? left : null
}
