import { createHash } from 'node:crypto'
import { type Clock, type Evidence, judgeRun } from '../../domain/runs/judge-run.js'
import type { GroupReport } from '../../domain/runs/run.js'
import type { RunSnapshot } from './known-run.js'

/** The evidence by which a run was judged, and how long it means the same: until the grace of a group is over. */
interface Judged {
  readonly digest: string
  /** Milliseconds since the epoch, as `until`. */
  readonly at: number
  readonly until: number
}

/** The groups whose state differs from the stored one, and what to store of the judgement. */
export interface Judgement {
  readonly reports: readonly GroupReport[]
  readonly judged: Judged | null
}

/** Judges a run, unless the last refresh has judged it by the same evidence. */
export function judge(snapshot: RunSnapshot, evidence: Evidence, clock: Clock): Judgement {
  const before = judgedBefore(snapshot)
  if (isJudged(snapshot, evidence, clock)) return { reports: [], judged: before }
  const digest = digestOf(snapshot, evidence, clock)
  const { now, grace } = clock
  const reports = judgeRun(snapshot.known, evidence, clock)
  if (digest === null) return { reports, judged: reports.length === 0 ? before : null }
  const waiting = [...snapshot.known.open.values(), ...reports].flatMap(({ awaiting }) => awaiting ?? [])
  const until = waiting.reduce((first, since) => Math.min(first, since + grace), now + longest)
  return { reports, judged: { digest, at: now, until } }
}

/** Whether the last refresh has judged a run by the same evidence. */
export function isJudged(snapshot: RunSnapshot, evidence: Evidence, clock: Clock): boolean {
  const before = judgedBefore(snapshot)
  if (before === null || clock.now < before.at || clock.now >= before.until) return false
  return before.digest === digestOf(snapshot, evidence, clock)
}

function judgedBefore({ cursor }: RunSnapshot): Judged | null {
  return (cursor?.judged ?? null) as Judged | null
}

/** How long a judgement is good at most, in milliseconds. */
const longest = 3_600_000

/** Digest of everything by which a run is judged, without the time and the stored state; null if it is not known. */
function digestOf({ attempts, asked }: RunSnapshot, { digest }: Evidence, { grace }: Clock): string | null {
  if (digest === undefined) return null
  const launches = attempts.map(({ attempt, groups, cancelled }) => ({ attempt, groups, cancelled }))
  return createHash('sha256')
    .update(JSON.stringify([digest, launches, asked.handles.length, grace]))
    .digest('hex')
}
