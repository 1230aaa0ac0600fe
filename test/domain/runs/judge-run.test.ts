import { describe, expect, test } from 'vitest'
import { type KnownGroup, unknownGroup, type Witnesses } from '../../../src/domain/runs/judge-run.js'
import type { GroupStatus } from '../../../src/domain/runs/run.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import {
  completing,
  early,
  ended,
  exit,
  gone,
  held,
  isFinished,
  isLost,
  isRunning,
  judge,
  known,
  late,
  neverStarted,
  now,
  pending,
  removed,
  running,
  seen,
  start,
  stopped,
} from './witnesses.js'

type Case = [name: string, witnesses: Partial<Witnesses>, status: object, rest?: Partial<KnownGroup>]

/** A group awaits what a scheduler still has to say: since now, for a while, or for longer than the grace. */
const open = { awaiting: now }
const waited = { awaiting: early }
const past = { awaiting: late }
const again = { restarts: 1 }
const isPending: GroupStatus = { state: 'pending' }
const cancelled = { state: 'cancelled', ...seen }
const wasRunning = known(isRunning)
const wasFinished = known(isFinished)
const wasLost = known(isLost)
const isHeld = known({ state: 'held', reason: null })

function testCases(cases: readonly Case[]) {
  test.each(cases)('%s', (_name, witnesses, status, rest) => {
    expect(judge(witnesses)).toMatchObject({ status, restarts: 0, awaiting: null, ...rest })
  })
}

describe('while it is live, a group', () => {
  const isSuspended = known({ ...isRunning, suspended: true } as GroupStatus)
  testCases([
    ['is pending before anybody says anything', {}, isPending],
    ['is pending as the scheduler says', { job: pending() }, isPending],
    ['is held, with the reason', { job: held }, { state: 'held', reason: 'JobHeldAdmin' }],
    ['is held although it ran before', { record: start(), job: held }, { state: 'held', reason: 'JobHeldAdmin' }],
    ['runs where the scheduler says', { job: running() }, { state: 'running', started: 900, host: 'slurm-n1' }],
    [
      'is suspended where the scheduler says so',
      { record: start(), job: { ...running(), suspended: true } as SchedulerState },
      { ...isRunning, suspended: true },
    ],
    ['goes on where the scheduler says so', { record: start(), job: running(), known: isSuspended }, isRunning],
    ['stays suspended without an answer', { record: start(), known: isSuspended }, isSuspended.status],
    ['runs as it recorded itself', { record: start(), job: running() }, isRunning],
    ['runs once its start is recorded, whatever the queue still says', { record: start(), job: pending() }, isRunning],
    ['runs once it has recorded its start, without an answer', { record: start() }, isRunning],
    ['stays held without an answer', { record: start(), known: isHeld }, { state: 'held' }],
    ['keeps running without an answer', { record: start(), known: wasRunning }, isRunning],
    [
      'gets the exact start as soon as its journal tells it, without an answer',
      { record: start(), known: known({ state: 'running', started: 900, host: 'slurm-n1', jobId: null }) },
      isRunning,
    ],
  ])
})

describe('if the record tells the end, a group', () => {
  const failed = { state: 'failed', cause: 'exit', exitCode: 3, ...seen }
  const since = known(isFinished, waited)
  const expired = known(isFinished, past)
  const record = exit(0)
  testCases([
    ['is finished at once, but awaits the scheduler, without an answer', { record }, isFinished, open],
    ['is finished at once where the queue lags', { record, job: running() }, isFinished, open],
    ['is finished at once where the queue says pending', { record, job: pending() }, isFinished, open],
    ['is finished at once where the queue has dropped it', { record, job: gone }, isFinished, open],
    ['has failed at once, but awaits the scheduler', { record: exit(3), job: running() }, failed, open],
    [
      'has failed before its script',
      { record: exit(1, { outcome: 'launch' }) },
      { ...failed, cause: 'launch', exitCode: 1 },
      open,
    ],
    ['still awaits within the grace', { record, known: since }, isFinished, waited],
    ['awaits nothing after the grace, without an answer', { record, known: expired }, isFinished],
    ['awaits nothing after the grace, whatever lags', { record, job: running(), known: expired }, isFinished],
    ['awaits nothing after the grace, when it is gone', { record, job: gone, known: expired }, isFinished],
    ['is settled by the answer of the scheduler', { record, job: ended('finished'), known: since }, isFinished],
    ['has the code that it recorded', { record: exit(3), job: ended('exit', { exitCode: 1 }) }, failed],
    ['ended by itself, if it did before it was cancelled', { record, job: ended('cancelled') }, isFinished],
    ['did not finish, if its own code says so', { record: exit(3), job: ended('finished') }, failed],
  ])

  const job = ended('timeout', { finished: 1_999 })
  const timedOut = { state: 'failed', cause: 'timeout', exitCode: 0 }
  testCases([
    ['ended by itself, if it did before it was ended at its limit', { record, job: ended('timeout') }, isFinished],
    ['reached its limit, if it ended later', { record, job }, timedOut],
    ['reached its limit, if nobody knows when', { record, job: ended('timeout', { finished: null }) }, timedOut],
  ])

  test.each(['oom', 'node_fail', 'preempted', 'deadline', 'launch'] as const)(
    'has failed by %s where the scheduler says so, even with exit 0',
    outcome => {
      const status = { state: 'failed', cause: outcome, exitCode: 0, signal: null, ...seen }
      for (const before of [unknownGroup, known(isFinished, waited)]) {
        expect(judge({ record, job: ended(outcome, { exitCode: 9 }), known: before })).toEqual(
          known(status as GroupStatus),
        )
      }
    },
  )
})

describe('if it was told to end, a group', () => {
  const killed = { state: 'failed', cause: 'signal', signal: 'SIGTERM', exitCode: 143, ...seen }
  const atLimit = { state: 'failed', cause: 'timeout', exitCode: 143 }
  const record = stopped
  const since = known(isRunning, waited)
  const expired = known(isRunning, past)
  testCases([
    ['may have been requeued', { record, job: pending() }, isPending],
    ['may have been requeued with as many starts', { record, job: pending(), known: wasRunning }, isPending],
    ['keeps what is known without an answer', { record, known: wasRunning }, isRunning],
    [
      'keeps what is known without an answer, even if cancelled',
      { record, known: wasRunning, cancelled: true },
      isRunning,
    ],
    ['is cancelled where the scheduler says so', { record, job: ended('cancelled') }, cancelled],
    [
      'is cancelled where the scheduler says so, even if its script died before its shell knew',
      { record: exit(143), job: ended('cancelled') },
      cancelled,
    ],
    ['may have been requeued, even if its script died first', { record: exit(143), job: pending() }, isPending],
    ['reached its limit, even if its script died first', { record: exit(143), job: ended('timeout') }, atLimit],
    ['is cancelled where asked for, whatever its code', { record, job: ended('exit'), cancelled: true }, cancelled],
    ['has failed where nobody asked for it', { record, job: ended('exit') }, killed],
    ['is cancelled at once when it is gone as asked for', { record, job: gone, cancelled: true }, cancelled, open],
    ['keeps what is known while it may be on its way', { record, job: gone, known: since }, isRunning, waited],
    ['has failed when it stays gone', { record, job: gone, known: expired }, killed],
  ])
})

describe('while the queue ends its processes, a group', () => {
  const killed = { state: 'failed', cause: 'signal', signal: 'SIGTERM' }
  const isAwaiting = known(isRunning, waited)
  const record = start()
  testCases([
    ['runs until it has recorded its end', { record, job: completing(), known: wasRunning }, isRunning],
    ['runs although nobody has seen it before', { record, job: completing() }, isRunning],
    ['has ended as it recorded', { record: exit(0), job: completing(), known: wasRunning }, isFinished, open],
    [
      'stays finished, however long the queue cleans',
      { record: exit(0), job: completing(), known: wasFinished },
      isFinished,
    ],
    ['keeps what is known without a record', { job: completing(), known: wasRunning }, isRunning],
    ['stays pending without a record', { job: completing() }, isPending],
    [
      'is cancelled at once when it was told to end as asked for',
      { record: stopped, job: completing(), known: wasRunning, cancelled: true },
      cancelled,
      open,
    ],
    [
      'keeps what is known until the queue says why it was told to end',
      { record: stopped, job: completing(), known: isAwaiting },
      isRunning,
      waited,
    ],
    ['has failed if nobody says why', { record: stopped, job: completing(), known: known(isRunning, past) }, killed],
    ['runs its earlier start, if it is to be requeued', { record, job: completing(1), known: wasRunning }, isRunning],
    [
      'still runs its second start, if it is to be requeued again',
      { record: start(again), job: completing(2), known: known(isRunning, again) },
      isRunning,
      again,
    ],
    ['is pending after an earlier start', { record: stopped, job: completing(1), known: wasRunning }, isPending, again],
    ['is pending after an earlier end', { record: exit(0), job: completing(1), known: wasFinished }, isPending, again],
    [
      'stays pending if its next start never began',
      { record: exit(0), job: completing(2), known: known(isRunning, again) },
      isPending,
      { restarts: 2 },
    ],
    [
      'is not running for a start that was killed before it could record its end',
      { record, job: completing(2), known: known(isPending, again) },
      isPending,
      again,
    ],
  ])
})

describe('if only the scheduler tells the end, a group', () => {
  const job = ended('exit', { exitCode: 3 })
  const failed = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, started: 900, finished: 2_100 }
  const expired = known({ state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }, past)
  const launch = { state: 'failed', cause: 'launch', exitCode: 125 }
  testCases([
    [
      'is finished, and its record may be on its way',
      { job: ended('finished') },
      { state: 'finished', exitCode: 0, started: 900, finished: 2_100 },
      open,
    ],
    [
      'is finished for good after the grace',
      { job: ended('finished'), known: known(isFinished, past) },
      { ...isFinished, finished: 2_100 },
    ],
    [
      'is not told by a job that found it taken',
      { job: ended('exit', { exitCode: 123 }), record: start(), known: wasRunning },
      isRunning,
      open,
    ],
    [
      'ended as its own record says, whatever a job says that found it taken',
      { job: ended('exit', { exitCode: 123 }), record: exit(3) },
      { state: 'failed', exitCode: 3 },
      open,
    ],
    ['is cancelled', { job: ended('cancelled') }, { state: 'cancelled', started: 900, finished: 2_100 }],
    [
      'does not end before it started, where the scheduler has no fractions of a second',
      { record: start({ started: 2_045 }), job: ended('cancelled', { finished: 2_000 }) },
      { state: 'cancelled', started: 2_045, finished: 2_045 },
    ],
    ['has failed, and its record may be on its way', { job }, failed, open],
    ['has failed for good after the grace', { job, known: expired }, { ...failed, started: 1_000 }],
    ['starts when it recorded it', { record: start(), job }, { ...failed, started: 1_000, host: 'n1' }, open],
    ['could not be launched', { job: ended('exit', { exitCode: 125 }) }, launch, open],
    [
      'was killed, whatever its code',
      { job: ended('signal', { exitCode: 125, signal: 'SIGKILL' }) },
      { cause: 'signal', signal: 'SIGKILL' },
      open,
    ],
    [
      'was killed, and has no code, where the scheduler has 0 beside the signal',
      { job: ended('signal', { exitCode: 0, signal: 'SIGKILL' }), known: expired },
      { cause: 'signal', exitCode: null, signal: 'SIGKILL' },
    ],
    [
      'has reached its limit, unless its record says something else in time',
      { job: ended('timeout') },
      { state: 'failed', cause: 'timeout' },
      open,
    ],
    ['has run out of memory, without waiting for a record', { job: ended('oom') }, { state: 'failed', cause: 'oom' }],
  ])
})

describe('if the scheduler has forgotten it, a group', () => {
  const job = gone
  const wasPending = known(isPending, past)
  const ranUntil = known(isRunning, past)
  const failed: GroupStatus = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }
  const vanished = { ...seen, finished: null }
  testCases([
    ['stays pending for a while', { job }, isPending, open],
    ['is lost after the grace', { job, known: wasPending }, neverStarted],
    ['runs for a while, as it recorded', { job, record: start() }, isRunning, open],
    ['has vanished after the grace', { job, record: start(), known: ranUntil }, isLost],
    ['has vanished if only the scheduler saw it run', { job, known: ranUntil }, isLost],
    [
      'is cancelled where that was asked for, after the grace',
      { job, known: wasPending, cancelled: true },
      { state: 'cancelled', started: null },
    ],
    [
      'is cancelled with its start',
      { job, record: start(), known: ranUntil, cancelled: true },
      { state: 'cancelled', ...vanished },
    ],
    ['keeps an end that it told before', { job, known: known(failed, waited) }, failed, waited],
    ['keeps an end that it told before for good', { job, known: known(failed, past) }, failed],
    ['no longer waits when it is known again', { job: pending(), known: wasPending }, isPending],
  ])
})

describe('if the scheduler only has other groups of its submission, a group', () => {
  const job = removed
  const isCancelled = known({ state: 'cancelled', ...seen, started: null, finished: null, host: null, jobId: null })
  const failed: GroupStatus = { state: 'failed', cause: 'launch', exitCode: 125, signal: null, ...seen, started: null }
  testCases([
    ['is cancelled, unless it tells of a start', { job }, { state: 'cancelled', started: null }, open],
    ['is cancelled where it was held', { job, known: isHeld }, { state: 'cancelled' }, open],
    ['is cancelled for good after the grace', { job, known: { ...isCancelled, awaiting: late } }, isCancelled.status],
    [
      'ended as it tells later',
      { job, record: exit(3), known: { ...isCancelled, awaiting: early } },
      { state: 'failed' },
      waited,
    ],
    ['is waited for where it was seen to run', { job, known: wasRunning }, isRunning, open],
    ['keeps an end that was told before', { job, known: known(failed, waited) }, failed, waited],
  ])
})

describe('if it was requeued, a group', () => {
  const since = known(isFinished, waited)
  const expired = known(isFinished, past)
  testCases([
    ['has an end of its earlier start no more', { record: exit(0), job: pending(1) }, isPending, again],
    [
      'awaits the answer on its later end anew',
      { record: exit(0, again), job: running(1), known: expired },
      isFinished,
      { ...again, ...open },
    ],
    ['runs again', { record: exit(0), job: running(1), known: since }, { state: 'running', started: 900 }, again],
    [
      'runs since its later start',
      { record: start({ started: 5_000, restarts: 1 }), job: running(1), known: since },
      { state: 'running', started: 5_000 },
      again,
    ],
    ['is pending again without a record', { job: pending(1), known: wasRunning }, isPending, again],
    ['ignores a record of an earlier start', { record: exit(0), known: known(isPending, again) }, isPending, again],
    [
      'has the end of its later start',
      { record: exit(3, again), job: ended('exit'), known: known(isRunning, again) },
      { state: 'failed', exitCode: 3 },
      again,
    ],
    [
      'is not lost for an earlier start',
      { record: exit(0), job: gone, known: known(isPending, { ...again, awaiting: late }) },
      neverStarted,
      again,
    ],
  ])
})

describe('if its end is settled, a group', () => {
  testCases([
    ['stays as it is, whatever the queue says', { job: running(), known: wasFinished }, isFinished],
    ['stays as it is, whatever is recorded', { record: exit(3), job: ended('oom'), known: wasFinished }, isFinished],
    ['stays as it is when it is gone', { job: gone, known: wasFinished }, isFinished],
    ['lives again when it was requeued', { record: exit(0), job: pending(1), known: wasFinished }, isPending, again],
    ['stays lost when it is gone', { job: gone, known: wasLost }, isLost],
    ['stays lost when nobody answers', { record: start(), known: wasLost }, isLost],
    ['stays lost when it is gone, with its known start', { record: start(), job: gone, known: wasLost }, isLost],
    ['is found again by the queue', { job: running(), known: wasLost }, { state: 'running', started: 900 }],
    ['is found again by accounting', { job: ended('finished'), known: wasLost }, { state: 'finished' }, open],
    ['is found again by its record', { record: exit(0), job: gone, known: wasLost }, isFinished, open],
    ['is found again by a late start', { record: start(), job: gone, known: known(neverStarted) }, isRunning, open],
    [
      'is found again by the record that it was told to end',
      { record: stopped, job: gone, known: wasLost },
      { state: 'failed', cause: 'signal', ...seen },
      open,
    ],
  ])
})
