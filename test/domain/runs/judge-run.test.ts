import { describe, expect, test } from 'vitest'
import { type KnownGroup, unknownGroup, type Witnesses } from '../../../src/domain/runs/judge-run.js'
import type { GroupStatus } from '../../../src/domain/runs/run.js'
import type { QueueWord } from '../../../src/domain/runs/verdicts.js'
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
    ['is pending as the scheduler says', { word: pending() }, { state: 'pending' }],
    ['is held, with the reason', { word: held }, { state: 'held', reason: 'JobHeldAdmin' }],
    ['is held although it ran before', { record: start(), word: held }, { state: 'held', reason: 'JobHeldAdmin' }],
    ['runs where the scheduler says', { word: running() }, { state: 'running', started: 900, host: 'slurm-n1' }],
    [
      'is suspended where the scheduler says so',
      { record: start(), word: { ...running(), suspended: true } as QueueWord },
      { ...isRunning, suspended: true },
    ],
    ['goes on where the scheduler says so', { record: start(), word: running(), known: isSuspended }, isRunning],
    ['stays suspended without an answer', { record: start(), known: isSuspended }, isSuspended.status],
    ['runs as it recorded itself', { record: start(), word: running() }, isRunning],
    [
      'runs once it has recorded its start, whatever the queue still says',
      { record: start(), word: pending() },
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
    ['is finished at once where the queue lags', { record, word: running() }, isFinished, open],
    ['is finished at once where the queue says pending', { record, word: pending() }, isFinished, open],
    ['is finished at once where the queue has dropped it', { record, word: gone }, isFinished, open],
    ['has failed at once, but awaits the scheduler', { record: exit(3), word: running() }, failed, open],
    [
      'has failed before its script',
      { record: exit(1, { outcome: 'launch' }) },
      { ...failed, cause: 'launch', exitCode: 1 },
      open,
    ],
    ['still awaits within the grace', { record, known: since }, isFinished, { awaiting: early }],
    ['awaits nothing after the grace, without an answer', { record, known: expired }, isFinished],
    ['awaits nothing after the grace, whatever lags', { record, word: running(), known: expired }, isFinished],
    ['awaits nothing after the grace, when it is gone', { record, word: gone, known: expired }, isFinished],
    ['is settled by the word of the scheduler', { record, word: ended('finished'), known: since }, isFinished],
    ['has the code that it recorded', { record: exit(3), word: ended('exit', { exitCode: 1 }) }, failed],
    ['ended by itself, if it did before it was cancelled', { record, word: ended('cancelled') }, isFinished],
    ['did not finish, if its own code says so', { record: exit(3), word: ended('finished') }, failed],
  ])

  const word = ended('timeout', { finished: 1_999 })
  const timedOut = { state: 'failed', cause: 'timeout', exitCode: 0 }
  testCases([
    ['ended by itself, if it did before it was ended at its limit', { record, word: ended('timeout') }, isFinished],
    ['reached its limit, if it ended later', { record, word }, timedOut],
    ['reached its limit, if nobody knows when', { record, word: ended('timeout', { finished: null }) }, timedOut],
  ])

  test.each(['oom', 'node_fail', 'preempted', 'deadline', 'launch'] as const)(
    'has failed by %s where the scheduler says so, even with exit 0',
    outcome => {
      const status = { state: 'failed', cause: outcome, exitCode: 0, signal: null, ...seen }
      for (const before of [unknownGroup, known(isFinished, { awaiting: early })]) {
        expect(judge({ record, word: ended(outcome, { exitCode: 9 }), known: before })).toEqual(
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
    ['may have been requeued', { record, word: pending() }, { state: 'pending' }],
    [
      'may have been requeued under the same number of starts',
      { record, word: pending(), known: known(isRunning) },
      { state: 'pending' },
    ],
    ['keeps what is known without an answer', { record, known: known(isRunning) }, isRunning],
    [
      'keeps what is known without an answer, even if it was cancelled',
      { record, known: known(isRunning), cancelled: true },
      isRunning,
    ],
    ['is cancelled where the scheduler says so', { record, word: ended('cancelled') }, cancelled],
    [
      'is cancelled where the scheduler says so, even if its script died before its shell knew',
      { record: exit(143), word: ended('cancelled') },
      cancelled,
    ],
    [
      'may have been requeued, even if its script died first',
      { record: exit(143), word: pending() },
      { state: 'pending' },
    ],
    ['reached its limit, even if its script died first', { record: exit(143), word: ended('timeout') }, atLimit],
    [
      'is cancelled where it was asked for, whatever its code',
      { record, word: ended('exit'), cancelled: true },
      cancelled,
    ],
    ['has failed where nobody asked for it', { record, word: ended('exit') }, killed],
    [
      'is cancelled at once when it is gone as asked for',
      { record, word: gone, cancelled: true },
      cancelled,
      { awaiting: now },
    ],
    [
      'keeps what is known while it may be on its way',
      { record, word: gone, known: since },
      isRunning,
      { awaiting: early },
    ],
    ['has failed when it stays gone', { record, word: gone, known: expired }, killed],
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
    ['runs until it has recorded its end', { record, word: completing(), known: wasRunning }, isRunning],
    ['runs although nobody has seen it before', { record, word: completing() }, isRunning],
    [
      'has ended as it recorded',
      { record: exit(0), word: completing(), known: wasRunning },
      isFinished,
      { awaiting: now },
    ],
    [
      'stays finished, however long the queue takes to clean up',
      { record: exit(0), word: completing(), known: known(isFinished) },
      isFinished,
    ],
    ['keeps what is known without a record', { word: completing(), known: wasRunning }, isRunning],
    ['stays pending without a record', { word: completing() }, { state: 'pending' }],
    [
      'is cancelled at once when it was told to end as asked for',
      { record: stopped, word: completing(), known: wasRunning, cancelled: true },
      cancelled,
      { awaiting: now },
    ],
    [
      'keeps what is known until the queue says why it was told to end',
      { record: stopped, word: completing(), known: isAwaiting },
      isRunning,
      { awaiting: early },
    ],
    [
      'has failed if the queue never says why',
      { record: stopped, word: completing(), known: known(isRunning, { awaiting: late }) },
      killed,
    ],
    [
      'still runs its earlier start, if it is to be requeued',
      { record, word: completing(1), known: wasRunning },
      isRunning,
    ],
    [
      'still runs its second start, if it is to be requeued again',
      { record: start({ restarts: 1 }), word: completing(2), known: known(isRunning, again) },
      isRunning,
      again,
    ],
    [
      'is pending once its earlier start has ended',
      { record: stopped, word: completing(1), known: wasRunning },
      { state: 'pending' },
      again,
    ],
    [
      'is pending if it was requeued after its end',
      { record: exit(0), word: completing(1), known: known(isFinished) },
      { state: 'pending' },
      again,
    ],
    [
      'stays pending if its next start never began',
      { record: exit(0), word: completing(2), known: known(isRunning, again) },
      { state: 'pending' },
      { restarts: 2 },
    ],
    [
      'is not running for a start that was killed before it could record its end',
      { record, word: completing(2), known: known({ state: 'pending' }, again) },
      { state: 'pending' },
      again,
    ],
  ])
})

describe('if only the scheduler tells the end, a group', () => {
  const word = ended('exit', { exitCode: 3 })
  const failed = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, started: 900, finished: 2_100 }
  const expired = known({ state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }, { awaiting: late })
  const launch = { state: 'failed', cause: 'launch', exitCode: 125 }
  testCases([
    [
      'is finished, and its record may be on its way',
      { word: ended('finished') },
      { state: 'finished', exitCode: 0, started: 900, finished: 2_100 },
      { awaiting: now },
    ],
    [
      'is finished for good after the grace',
      { word: ended('finished'), known: known(isFinished, { awaiting: late }) },
      { ...isFinished, finished: 2_100 },
    ],
    [
      'is not told by a job that found it taken',
      { word: ended('exit', { exitCode: 123 }), record: start(), known: known(isRunning) },
      isRunning,
      { awaiting: now },
    ],
    [
      'ended as its own record says, whatever a job says that found it taken',
      { word: ended('exit', { exitCode: 123 }), record: exit(3) },
      { state: 'failed', exitCode: 3 },
      { awaiting: now },
    ],
    ['is cancelled', { word: ended('cancelled') }, { state: 'cancelled', started: 900, finished: 2_100 }],
    [
      'does not end before it started, where the scheduler has no fractions of a second',
      { record: start({ started: 2_045 }), word: ended('cancelled', { finished: 2_000 }) },
      { state: 'cancelled', started: 2_045, finished: 2_045 },
    ],
    ['has failed, and its record may be on its way', { word }, failed, { awaiting: now }],
    ['has failed for good after the grace', { word, known: expired }, { ...failed, started: 1_000 }],
    [
      'starts when it recorded it',
      { record: start(), word },
      { ...failed, started: 1_000, host: 'n1' },
      { awaiting: now },
    ],
    ['could not be launched', { word: ended('exit', { exitCode: 125 }) }, launch, { awaiting: now }],
    [
      'was killed, whatever its code',
      { word: ended('signal', { exitCode: 125, signal: 'SIGKILL' }) },
      { cause: 'signal', signal: 'SIGKILL' },
      { awaiting: now },
    ],
    [
      'was killed, and has no code, where the scheduler has 0 beside the signal',
      { word: ended('signal', { exitCode: 0, signal: 'SIGKILL' }), known: expired },
      { cause: 'signal', exitCode: null, signal: 'SIGKILL' },
    ],
    [
      'has reached its limit, unless its record says something else in time',
      { word: ended('timeout') },
      { state: 'failed', cause: 'timeout' },
      { awaiting: now },
    ],
    ['has run out of memory, without waiting for a record', { word: ended('oom') }, { state: 'failed', cause: 'oom' }],
  ])
})

describe('if the scheduler has forgotten it, a group', () => {
  const word = gone
  const isPending = known({ state: 'pending' }, { awaiting: late })
  const wasRunning = known(isRunning, { awaiting: late })
  const failed: GroupStatus = { state: 'failed', cause: 'exit', exitCode: 3, signal: null, ...seen }
  const vanished = { ...seen, finished: null }
  testCases([
    ['stays pending for a while', { word }, { state: 'pending' }, { awaiting: now }],
    ['is lost after the grace', { word, known: isPending }, neverStarted],
    ['runs for a while, as it recorded', { word, record: start() }, isRunning, { awaiting: now }],
    ['has vanished after the grace', { word, record: start(), known: wasRunning }, isLost],
    ['has vanished if only the scheduler saw it run', { word, known: wasRunning }, isLost],
    [
      'is cancelled where that was asked for, after the grace',
      { word, known: isPending, cancelled: true },
      { state: 'cancelled', started: null },
    ],
    [
      'is cancelled with its start',
      { word, record: start(), known: wasRunning, cancelled: true },
      { state: 'cancelled', ...vanished },
    ],
    [
      'keeps an end that it told before',
      { word, known: known(failed, { awaiting: early }) },
      failed,
      { awaiting: early },
    ],
    ['keeps an end that it told before for good', { word, known: known(failed, { awaiting: late }) }, failed],
    ['no longer waits when it is known again', { word: pending(), known: isPending }, { state: 'pending' }],
  ])
})

describe('if the scheduler only has other groups of its submission, a group', () => {
  const word = removed
  const isCancelled = known({ state: 'cancelled', ...seen, started: null, finished: null, host: null, jobId: null })
  const failed: GroupStatus = { state: 'failed', cause: 'launch', exitCode: 125, signal: null, ...seen, started: null }
  testCases([
    ['is cancelled, unless it tells of a start', { word }, { state: 'cancelled', started: null }, { awaiting: now }],
    [
      'is cancelled where it was held',
      { word, known: known({ state: 'held', reason: null }) },
      { state: 'cancelled' },
      { awaiting: now },
    ],
    ['is cancelled for good after the grace', { word, known: { ...isCancelled, awaiting: late } }, isCancelled.status],
    [
      'ended as it tells later',
      { word, record: exit(3), known: { ...isCancelled, awaiting: early } },
      { state: 'failed' },
      { awaiting: early },
    ],
    ['is waited for where it was seen to run', { word, known: known(isRunning) }, isRunning, { awaiting: now }],
    [
      'keeps an end that was told before',
      { word, known: known(failed, { awaiting: early }) },
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
    ['has an end of its earlier start no more', { record: exit(0), word: pending(1) }, { state: 'pending' }, again],
    [
      'awaits the word on its later end anew',
      { record: exit(0, again), word: running(1), known: expired },
      isFinished,
      { ...again, awaiting: now },
    ],
    ['runs again', { record: exit(0), word: running(1), known: since }, { state: 'running', started: 900 }, again],
    [
      'runs since its later start',
      { record: start({ started: 5_000, restarts: 1 }), word: running(1), known: since },
      { state: 'running', started: 5_000 },
      again,
    ],
    ['is pending again without a record', { word: pending(1), known: known(isRunning) }, { state: 'pending' }, again],
    [
      'has a record of an earlier start for nothing, later on',
      { record: exit(0), known: known({ state: 'pending' }, again) },
      { state: 'pending' },
      again,
    ],
    [
      'has the end of its later start',
      { record: exit(3, again), word: ended('exit'), known: known(isRunning, again) },
      { state: 'failed', exitCode: 3 },
      again,
    ],
    [
      'is not lost for an earlier start',
      { record: exit(0), word: gone, known: known({ state: 'pending' }, { ...again, awaiting: late }) },
      neverStarted,
      again,
    ],
  ])
})

describe('if its end is settled, a group', () => {
  testCases([
    ['stays as it is, whatever the queue says', { word: running(), known: known(isFinished) }, isFinished],
    [
      'stays as it is, whatever its record says',
      { record: exit(3), word: ended('oom'), known: known(isFinished) },
      isFinished,
    ],
    ['stays as it is when it is gone', { word: gone, known: known(isFinished) }, isFinished],
    [
      'lives again when it was requeued',
      { record: exit(0), word: pending(1), known: known(isFinished) },
      { state: 'pending' },
      { restarts: 1 },
    ],
    ['stays lost when it is gone', { word: gone, known: known(isLost) }, isLost],
    ['stays lost when nobody answers', { record: start(), known: known(isLost) }, isLost],
    [
      'stays lost when it is gone, with the start that was known',
      { record: start(), word: gone, known: known(isLost) },
      isLost,
    ],
    ['is found again by the queue', { word: running(), known: known(isLost) }, { state: 'running', started: 900 }],
    [
      'is found again by accounting',
      { word: ended('finished'), known: known(isLost) },
      { state: 'finished' },
      { awaiting: now },
    ],
    [
      'is found again by its record',
      { record: exit(0), word: gone, known: known(isLost) },
      isFinished,
      { awaiting: now },
    ],
    [
      'is found again by a start that comes late',
      { record: start(), word: gone, known: known(neverStarted) },
      isRunning,
      { awaiting: now },
    ],
    [
      'is found again by the record that it was told to end',
      { record: stopped, word: gone, known: known(isLost) },
      { state: 'failed', cause: 'signal', ...seen },
      { awaiting: now },
    ],
  ])
})
