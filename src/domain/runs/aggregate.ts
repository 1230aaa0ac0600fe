import type { GroupCounts, GroupState, Run, RunStatus } from './run.js'

/** A run has the first of these states that one of its groups has. */
const decisive: readonly GroupState[] = ['running', 'pending', 'held', 'failed', 'lost', 'cancelled']

/** Counts of a new run with `total` groups. */
export function countsOfNew(total: number): GroupCounts {
  return { pending: total, running: 0, held: 0, finished: 0, failed: 0, cancelled: 0, lost: 0 }
}

/** The number of groups of a run, whatever their state. */
export function totalOf(counts: GroupCounts): number {
  return liveOf(counts) + counts.finished + counts.failed + counts.lost + counts.cancelled
}

/**
 * The status of a run: live states first, then the worst end. A run with some groups ended and others waiting is
 * `running`, even if no group runs at the moment. It is `held` if nothing continues until somebody releases a group.
 */
export function runStatus(counts: GroupCounts): RunStatus {
  if (counts.pending > 0 && totalOf(counts) > liveOf(counts)) return 'running'
  return decisive.find(state => counts[state] > 0) ?? 'finished'
}

/** The number of groups of a run that have not ended. */
export function liveOf(counts: GroupCounts): number {
  return counts.running + counts.pending + counts.held
}

/** True if all groups have ended. */
export function isOver(counts: GroupCounts): boolean {
  return liveOf(counts) === 0
}

/** True if all groups have ended and no end waits for confirmation by the scheduler. */
export function isSettled({ counts, awaiting }: Pick<Run, 'counts' | 'awaiting'>): boolean {
  return awaiting === 0 && isOver(counts)
}
