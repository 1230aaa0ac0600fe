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

function testCases(cases: readonly Case[]) {
  test.each(cases)('%s', (_name, witnesses, status, rest) => {
    expect(judge(witnesses)).toMatchObject({ status, restarts: 0, awaiting: null, ...rest })
  })
}

describe('while it is live, a group', () => {
  const isSuspended = known({ ...isRunning, suspended: true } as GroupStatus)
  testCases([
    ['is pending before anybody says anything', {}, { state: 'pending' }],
    ['is pending as the scheduler says', { job: pending() }, { state: 'pending' }],
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
    [
      'runs once it has recorded its start, whatever the queue still says',
      { record: start(), job: pending() },
      isRunning,
    ],
    ['runs once it has recorded its start, without an answer', { record: start() }, isRunning],
    [
      'stays held without an answer',
      { record: start(), known: known({ state: 'held', reason: null }) },
      { state: 'held' },
    ],
    ['keeps running without an answer', { record: start(), known: known(isRunning) }, isRunning],
    [
      'gets the exact start as soon as its journal tells it, without an answer',
      { record: start(), known: known({ state: 'running', started: 900, host: 'slurm-n1', jobId: null }) },
      isRunning,
    ],
  ])
})

describe('if the record tells the end, a group', () => {
  const failed = { state: 'failed', cause: 'exit', exitCode: 3, ...seen }
  const open = { awaiting: now }
  const since = known(isFinished, { awaiting: early })
  const expired = known(isFinished, { awaiting: late })
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
    ['still awaits within the grace', { record, known: since }, isFinished, { awaiting: early }],
    ['awaits nothing after the grace, without an answer', { record, known: expired }, isFinished],
    ['awaits nothing after the grace, whatever lags', { record, job: running(), known: expired }, isFinished],
    ['awaits nothing after the grace, when it is gone', { record, job: gone, known: expired }, isFinished],
    ['is settled by the job of the scheduler', { record, job: ended('finished'), known: since }, isFinished],
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
      for (const before of [unknownGroup, known(isFinished, { awaiting: early })]) {
        expect(judge({ record, job: ended(outcome, { exitCode: 9 }), known: before })).toEqual(
          known(status as GroupStatus),
        )
      }
    },
  )
})

describe('if it was told to end, a group', () => {
  const cancelled = { state: 'cancelled', ...seen }
  const killed = { state: 'failed', cause: 'signal', signal: 'SIGTERM', exitCode: 143, ...seen }
  const atLimit = { state: 'failed', cause: 'timeout', exitCode: 143 }
  const record = stopped
  const since = known(isRunning, { awaiting: early })
  const expired = known(isRunning, { awaiting: late })
  testCases([
    ['may have been requeued', { record, job: pending() }, { state: 'pending' }],
    [
      'may have been requeued under the same number of starts',
      { record, job: pending(), known: known(isRunning) },
      { state: 'pending' },
    ],
    ['keeps what is known without an answer', { record, known: known(isRunning) }, isRunning],
    [
      'keeps what is known without an answer, even if it was cancelled',
      { record, known: known(isRunning), cancelled: true },
      isRunning,
    ],
    ['is cancelled where the scheduler says so', { record, job: ended('cancelled') }, cancelled],
    [
      'is cancelled where the scheduler says so, even if its script died before its shell knew',
      { record: exit(143), job: ended('cancelled') },
      cancelled,
    ],
    [
      'may have been requeued, even if its script died first',
      { record: exit(143), job: pending() },
      { state: 'pending' },
    ],
    ['reached its limit, even if its script died first', { record: exit(143), job: ended('timeout') }, atLimit],
    [
      'is cancelled where it was asked for, whatever its code',
      { record, job: ended('exit'), cancelled: true },
      cancelled,
    ],
    ['has failed where nobody asked for it', { record, job: ended('exit') }, killed],
    [
      'is cancelled at once when it is gone as asked for',
      { record, job: gone, cancelled: true },
      cancelled,
      { awaiting: now },
    ],
    [
      'keeps what is known while it may be on its way',
      { record, job: gone, known: since },
      isRunning,
      { awaiting: early },
    ],
    ['has failed when it stays gone', { record, job: gone, known: expired }, killed],
  ])
})

describe('while the queue ends its processes, a group', () => {
  const cancelled = { state: 'cancelled', ...seen }
  const killed = { state: 'failed', cause: 'signal', signal: 'SIGTERM' }
  const wasRunning = known(isRunning)
  const isAwaiting = known(isRunning, { awaiting: early })
  const again = { restarts: 1 }
  const record = start()
  testCases([
    ['runs until it has recorded its end', { record, job: completing(), known: wasRunning }, isRunning],
    ['runs although nobody has seen it before', { record, job: completing() }, isRunning],
    [
      'has ended as it recorded',
      { record: exit(0), job: completing(), known: wasRunning },
      isFinished,
      { awaiting: now },
    ],
    [
      'stays finished, however long the queue takes to clean up',
      { record: exit(0), job: completing(), known: known(isFinished) },
      isFinished,
    ],
    ['keeps what is known without a record', { job: completing(), known: wasRunning }, isRunning],
    ['stays pending without a record', { job: completing() }, { state: 'pending' }],
    [
      'is cancelled at once when it was told to end as asked for',
      { record: stopped, job: completing(), known: wasRunning, cancelled: true },
      cancelled,
      { awaiting: now },
    ],
    [
      'keeps what is known until the queue says why it was told to end',
      { record: stopped, job: completing(), known: isAwaiting },
      isRunning,
      { awaiting: early },
    ],
    [
      'has failed if the queue never says why',
      { record: stopped, job: completing(), known: known(isRunning, { awaiting: late }) },
      killed,
    ],
    [
      'still runs its earlier start, if it is to be requeued',
      { record, job: completing(1), known: wasRunning },
      isRunning,
    ],
    [
      'still runs its second start, if it is to be requeued again',
      { record: start({ restarts: 1 }), job: completing(2), known: known(isRunning, again) },
      isRunning,
      again,
    ],
    [
      'is pending once its earlier start has ended',
      { record: stopped, job: completing(1), known: wasRunning },
      { state: 'pending' },
      again,
    ],
    [
      'is pending if it was requeued after its end',
      { record: exit(0), job: completing(1), known: known(isFinished) },
      { state: 'pending' },
      again,
    ],
    [
      'stays pending if its next start never began',
      { record: exit(0), job: completing(2), known: known(isRunning, again) },
      { state: 'pending' },
      { restarts: 2 },
    ],
    [
      'is not running for a start that was killed before it could record its end',
      { record, job: completing(2), known: known({ state: 'pending' }, again) },
      { state: 'pending' },
      again,
    ],
  ])
})

describe('if only the scheduler tells the end, a group', () => {
  const job = ended('exit', { exitCode: 3 })
  const failed = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, started: 900, finished: 2_100 }
  const expired = known({ state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }, { awaiting: late })
  const launch = { state: 'failed', cause: 'launch', exitCode: 125 }
  testCases([
    [
      'is finished, and its record may be on its way',
      { job: ended('finished') },
      { state: 'finished', exitCode: 0, started: 900, finished: 2_100 },
      { awaiting: now },
    ],
    [
      'is finished for good after the grace',
      { job: ended('finished'), known: known(isFinished, { awaiting: late }) },
      { ...isFinished, finished: 2_100 },
    ],
    [
      'is not told by a job that found it taken',
      { job: ended('exit', { exitCode: 123 }), record: start(), known: known(isRunning) },
      isRunning,
      { awaiting: now },
    ],
    [
      'ended as its own record says, whatever a job says that found it taken',
      { job: ended('exit', { exitCode: 123 }), record: exit(3) },
      { state: 'failed', exitCode: 3 },
      { awaiting: now },
    ],
    ['is cancelled', { job: ended('cancelled') }, { state: 'cancelled', started: 900, finished: 2_100 }],
    [
      'does not end before it started, where the scheduler has no fractions of a second',
      { record: start({ started: 2_045 }), job: ended('cancelled', { finished: 2_000 }) },
      { state: 'cancelled', started: 2_045, finished: 2_045 },
    ],
    ['has failed, and its record may be on its way', { job }, failed, { awaiting: now }],
    ['has failed for good after the grace', { job, known: expired }, { ...failed, started: 1_000 }],
    [
      'starts when it recorded it',
      { record: start(), job },
      { ...failed, started: 1_000, host: 'n1' },
      { awaiting: now },
    ],
    ['could not be launched', { job: ended('exit', { exitCode: 125 }) }, launch, { awaiting: now }],
    [
      'was killed, whatever its code',
      { job: ended('signal', { exitCode: 125, signal: 'SIGKILL' }) },
      { cause: 'signal', signal: 'SIGKILL' },
      { awaiting: now },
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
      { awaiting: now },
    ],
    ['has run out of memory, without waiting for a record', { job: ended('oom') }, { state: 'failed', cause: 'oom' }],
  ])
})

describe('if the scheduler has forgotten it, a group', () => {
  const job = gone
  const isPending = known({ state: 'pending' }, { awaiting: late })
  const wasRunning = known(isRunning, { awaiting: late })
  const failed: GroupStatus = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }
  const vanished = { ...seen, finished: null }
  testCases([
    ['stays pending for a while', { job }, { state: 'pending' }, { awaiting: now }],
    ['is lost after the grace', { job, known: isPending }, neverStarted],
    ['runs for a while, as it recorded', { job, record: start() }, isRunning, { awaiting: now }],
    ['has vanished after the grace', { job, record: start(), known: wasRunning }, isLost],
    ['has vanished if only the scheduler saw it run', { job, known: wasRunning }, isLost],
    [
      'is cancelled where that was asked for, after the grace',
      { job, known: isPending, cancelled: true },
      { state: 'cancelled', started: null },
    ],
    [
      'is cancelled with its start',
      { job, record: start(), known: wasRunning, cancelled: true },
      { state: 'cancelled', ...vanished },
    ],
    [
      'keeps an end that it told before',
      { job, known: known(failed, { awaiting: early }) },
      failed,
      { awaiting: early },
    ],
    ['keeps an end that it told before for good', { job, known: known(failed, { awaiting: late }) }, failed],
    ['no longer waits when it is known again', { job: pending(), known: isPending }, { state: 'pending' }],
  ])
})

describe('if the scheduler only has other groups of its submission, a group', () => {
  const job = removed
  const isCancelled = known({ state: 'cancelled', ...seen, started: null, finished: null, host: null, jobId: null })
  const failed: GroupStatus = { state: 'failed', cause: 'launch', exitCode: 125, signal: null, ...seen, started: null }
  testCases([
    ['is cancelled, unless it tells of a start', { job }, { state: 'cancelled', started: null }, { awaiting: now }],
    [
      'is cancelled where it was held',
      { job, known: known({ state: 'held', reason: null }) },
      { state: 'cancelled' },
      { awaiting: now },
    ],
    ['is cancelled for good after the grace', { job, known: { ...isCancelled, awaiting: late } }, isCancelled.status],
    [
      'ended as it tells later',
      { job, record: exit(3), known: { ...isCancelled, awaiting: early } },
      { state: 'failed' },
      { awaiting: early },
    ],
    ['is waited for where it was seen to run', { job, known: known(isRunning) }, isRunning, { awaiting: now }],
    [
      'keeps an end that was told before',
      { job, known: known(failed, { awaiting: early }) },
      failed,
      { awaiting: early },
    ],
  ])
})

describe('if it was requeued, a group', () => {
  const again = { restarts: 1 }
  const since = known(isFinished, { awaiting: early })
  const expired = known(isFinished, { awaiting: late })
  testCases([
    ['has an end of its earlier start no more', { record: exit(0), job: pending(1) }, { state: 'pending' }, again],
    [
      'awaits the job on its later end anew',
      { record: exit(0, again), job: running(1), known: expired },
      isFinished,
      { ...again, awaiting: now },
    ],
    ['runs again', { record: exit(0), job: running(1), known: since }, { state: 'running', started: 900 }, again],
    [
      'runs since its later start',
      { record: start({ started: 5_000, restarts: 1 }), job: running(1), known: since },
      { state: 'running', started: 5_000 },
      again,
    ],
    ['is pending again without a record', { job: pending(1), known: known(isRunning) }, { state: 'pending' }, again],
    [
      'has a record of an earlier start for nothing, later on',
      { record: exit(0), known: known({ state: 'pending' }, again) },
      { state: 'pending' },
      again,
    ],
    [
      'has the end of its later start',
      { record: exit(3, again), job: ended('exit'), known: known(isRunning, again) },
      { state: 'failed', exitCode: 3 },
      again,
    ],
    [
      'is not lost for an earlier start',
      { record: exit(0), job: gone, known: known({ state: 'pending' }, { ...again, awaiting: late }) },
      neverStarted,
      again,
    ],
  ])
})

describe('if its end is settled, a group', () => {
  testCases([
    ['stays as it is, whatever the queue says', { job: running(), known: known(isFinished) }, isFinished],
    [
      'stays as it is, whatever its record says',
      { record: exit(3), job: ended('oom'), known: known(isFinished) },
      isFinished,
    ],
    ['stays as it is when it is gone', { job: gone, known: known(isFinished) }, isFinished],
    [
      'lives again when it was requeued',
      { record: exit(0), job: pending(1), known: known(isFinished) },
      { state: 'pending' },
      { restarts: 1 },
    ],
    ['stays lost when it is gone', { job: gone, known: known(isLost) }, isLost],
    ['stays lost when nobody answers', { record: start(), known: known(isLost) }, isLost],
    [
      'stays lost when it is gone, with the start that was known',
      { record: start(), job: gone, known: known(isLost) },
      isLost,
    ],
    ['is found again by the queue', { job: running(), known: known(isLost) }, { state: 'running', started: 900 }],
    [
      'is found again by accounting',
      { job: ended('finished'), known: known(isLost) },
      { state: 'finished' },
      { awaiting: now },
    ],
    [
      'is found again by its record',
      { record: exit(0), job: gone, known: known(isLost) },
      isFinished,
      { awaiting: now },
    ],
    [
      'is found again by a start that comes late',
      { record: start(), job: gone, known: known(neverStarted) },
      isRunning,
      { awaiting: now },
    ],
    [
      'is found again by the record that it was told to end',
      { record: stopped, job: gone, known: known(isLost) },
      { state: 'failed', cause: 'signal', ...seen },
      { awaiting: now },
    ],
  ])
})
