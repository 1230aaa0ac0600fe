import type { DataDifference } from './compare-listings.js'

/** The period in which groups ran. All times are in milliseconds since the epoch. */
export interface Period {
  readonly launched: number
  /** When the last group has ended; null if that is not known. */
  readonly ended: number | null
  readonly looked: number
  /** Whether all differences are known to have come after the launch. */
  readonly isSinceLaunch: boolean
}

/** By how many milliseconds the clocks of nodes and file servers may differ from the one here. */
const clockError = 1_000

/**
 * Which differences of a dataset came while groups ran. Later ones are left out. Files that differ only in their time
 * are left out, too, unless that time lies in the period.
 * @param times when files were written or otherwise changed; none for files that are gone
 * @returns those that certainly did, and those that perhaps came later: nothing tells when a file has gone, or when
 * others took the place of a folder
 */
export function changesDuring(
  difference: DataDifference,
  times: ReadonlyMap<string, readonly number[]>,
  { launched, ended, looked, isSinceLaunch }: Period,
): { certain: DataDifference; perhaps: DataDifference } {
  const end = (ended ?? Number.NEGATIVE_INFINITY) + clockError
  const timesAt = (path: string) => (times.get(path) ?? []).map(time => Math.min(time, looked))
  // What had changed before the launch is told elsewhere: here, a wrong clock must not make it a change after it.
  const begin = isSinceLaunch ? launched - clockError : launched
  const isWithin = (path: string) => timesAt(path).some(time => begin < time && time <= end)
  const isCertain = (path: string) => isWithin(path) || (isSinceLaunch && looked <= end)
  const isLater = (path: string) => ended !== null && timesAt(path).some(time => time > end)
  const isPerhaps = (path: string) => isSinceLaunch && !isCertain(path) && !isLater(path)
  return {
    certain: { ...only(difference, isCertain), maybe: difference.maybe.filter(isWithin) },
    perhaps: { ...only(difference, isPerhaps), maybe: [] },
  }
}

/**
 * Whether all changes surely came between a launch and the start of its first group. They seem to be older if the clock of the
 * file server is behind: then nothing is sure.
 */
export function cameBefore(
  { added, gone, changed, maybe }: DataDifference,
  times: ReadonlyMap<string, readonly number[]>,
  launched: number,
  started: number,
): boolean {
  const isBetween = (path: string) => {
    const last = Math.max(...(times.get(path) ?? []))
    // Older data may have taken the place of these at any time, also while groups ran.
    return launched < last && last < started - clockError
  }
  return gone.length === 0 && [...added, ...changed, ...maybe].every(isBetween)
}

function only(difference: DataDifference, isWanted: (path: string) => boolean): DataDifference {
  const { added, gone, changed } = difference
  return {
    ...difference,
    added: added.filter(isWanted),
    gone: gone.filter(isWanted),
    changed: changed.filter(isWanted),
  }
}
