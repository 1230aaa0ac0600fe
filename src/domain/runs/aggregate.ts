import type { GroupCounts, GroupState, Run, RunStatus } from './run.js'

const liveStates: readonly GroupState[] = ['running', 'pending', 'held']
const endedStates: readonly GroupState[] = ['failed', 'lost', 'cancelled']

/** Counts of a run of `total` groups of which nothing is known yet. */
export function countsOfNew(total: number): GroupCounts {
  return { pending: total, running: 0, held: 0, finished: 0, failed: 0, cancelled: 0, lost: 0 }
}

/** All groups of a run, whatever their state. */
export function totalOf(counts: GroupCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/**
 * The status of a run: live states first, then the worst end. One that has begun runs, also while none of its groups does for a
 * moment; it is held where nothing goes on until somebody releases it.
 */
export function runStatus(counts: GroupCounts): RunStatus {
  const has = (state: GroupState) => counts[state] > 0
  if (has('pending') && (has('finished') || endedStates.some(has))) return 'running'
  return [...liveStates, ...endedStates].find(has) ?? 'finished'
}

/** True where no group of the run can change any more by itself. */
export function isOver(counts: GroupCounts): boolean {
  return liveStates.every(state => counts[state] === 0)
}

/** True where nothing more is expected of a run, not even the scheduler's word on an end. */
export function isSettled({ counts, awaiting }: Pick<Run, 'counts' | 'awaiting'>): boolean {
  return awaiting === 0 && isOver(counts)
}
