import { isOver, isSettled } from '../../domain/runs/aggregate.js'
import { haltOf, type Run } from '../../domain/runs/run.js'
import { BusyError } from '../../errors.js'
import type { JobHandle } from '../../runners/types.js'
import { explainDatabase } from '../../store/database.js'
import { refuseForeign } from '../refresh/foreign-attempts.js'
import { isPolledRarely, waitingIntervalOf } from '../refresh/polling.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { submissionsOf } from '../refresh/submissions.js'
import { runnerOf, type Workspace } from '../workspace.js'

/** Milliseconds between two refreshes of a run that is waited for. */
const interval = 1000
/** What is polled rarely is polled less and less often, and the records of its runs are read so, up to this interval in milliseconds. */
const longestInterval = 30_000
const longestAge = 300_000

/**
 * Follows a run until it can no longer change, nothing changes it any more without its user, or `stop` is aborted, and returns it as
 * it is then.
 * @throws OperationError if its end is known only to the project that this one is a copy of
 */
export async function waitRun(
  workspace: Workspace,
  run: Run,
  onChange: (run: Run) => void,
  stop = new AbortController().signal,
): Promise<Run> {
  const runner = runnerOf(workspace, run)
  const isRare = isPolledRarely(runner)
  // Unlike the clock, it is never set back.
  const began = performance.now()
  // A twentieth of the time that has passed: after an hour, poll every three minutes.
  const slowed = (shortest: number, longest: number) =>
    Math.max(shortest, Math.min(longest, (performance.now() - began) / 20))
  const poll = (watched: Run, age?: number) => unlessLocked(() => refreshRun(workspace, watched, age), watched)
  let current = await poll(run, isRare ? Number.POSITIVE_INFINITY : undefined)
  let asked = began
  onChange(current)
  while (!isSettled(current) && !isStuck(current) && !stop.aborted) {
    const watched = current
    const handle = await unlessLocked(() => lastHandle(workspace, watched), null)
    await runner.waitForChange(handle, isRare ? slowed(interval, longestInterval) : interval, stop)
    const shortestAge = waitingIntervalOf(workspace, runner, watched)
    const age = slowed(shortestAge, longestAge)
    const isDue = isOver(current.counts) || performance.now() - asked >= age
    if (isDue) asked = performance.now()
    // Usually the records alone tell that the run is over; polling the scheduler as well would only take longer.
    current = await poll(current, isDue ? Math.min(age, shortestAge) : Number.POSITIVE_INFINITY)
    onChange(current)
  }
  return current
}

/** Whether all workers of a run have died, and nothing of it runs any more. A paused run goes on by itself once it has slots. */
function isStuck(run: Run): boolean {
  return haltOf(run) === 'no_worker' && run.counts.running === 0
}

async function lastHandle(workspace: Workspace, run: Run): Promise<JobHandle | null> {
  const submissions = await submissionsOf(workspace, run)
  refuseForeign(run, submissions, 'wait')
  // The end of a process or job that belongs to the original of this project says nothing about this run.
  return submissions.handles.findLast(({ attempt }) => !submissions.foreign.has(attempt)) ?? null
}

/** Another command may keep the database locked for long: keep the known state, and try again later. */
async function unlessLocked<Result>(work: () => Promise<Result>, known: Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(explainDatabase(error) instanceof BusyError)) throw error
    return known
  }
}
