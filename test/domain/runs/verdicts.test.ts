import { describe, expect, test } from 'vitest'
import type { GroupRecord } from '../../../src/domain/runs/group-record.js'
import {
  type RecordKind,
  recordKind,
  type SchedulerState,
  type StateKind,
  stateKind,
  type Verdict,
  verdicts,
} from '../../../src/domain/runs/verdicts.js'
import { aligned } from '../../../src/views/format/aligned.js'
import {
  completing,
  ended,
  exit,
  gone,
  held,
  isRunning,
  judge,
  known,
  now,
  pending,
  removed,
  running,
  start,
  stopped,
  unsubmitted,
} from './witnesses.js'

const jobs: Readonly<Record<StateKind, SchedulerState | null>> = {
  silent: null,
  pending: pending(),
  held,
  running: running(),
  completing: completing(),
  finished: ended('finished'),
  ended: ended('exit', { exitCode: 3 }),
  cancelled: ended('cancelled'),
  forced: ended('oom'),
  timeout: ended('timeout'),
  gone,
  removed,
  unsubmitted,
}

const records: Readonly<Record<RecordKind, GroupRecord | null>> = {
  none: null,
  started: start(),
  ended: exit(4),
  signalled: stopped,
}

/** What each verdict makes of a group that is known to run since 1 s, where the scheduler ends it with 3 and the record with 4. */
const outcomes: Readonly<Record<Verdict, object>> = {
  keep: { status: isRunning, awaiting: null },
  begin: { status: isRunning, awaiting: null },
  running: { status: { state: 'running' }, awaiting: null },
  pending: { status: { state: 'pending' }, awaiting: null },
  held: { status: { state: 'held', reason: 'JobHeldAdmin' }, awaiting: null },
  cancelled: { status: { state: 'cancelled' }, awaiting: null },
  lost: { status: { state: 'lost', cause: 'never_started' }, awaiting: null },
  record: { status: { state: 'failed' }, awaiting: null },
  'record, open': { status: { state: 'failed', exitCode: 4 }, awaiting: now },
  queue: { status: { state: 'failed', cause: expect.toBeOneOf(['oom', 'timeout']) }, awaiting: null },
  'queue, open': { awaiting: now },
  earlier: { status: { state: 'failed', cause: 'exit', exitCode: 4 }, awaiting: null },
  // It was seen to run.
  'cancelled, open': { status: isRunning, awaiting: now },
  wait: { status: isRunning, awaiting: now },
}

const cells = Object.entries(verdicts).flatMap(([job, row]) =>
  Object.entries(row).map(([record, verdict]) => [job as StateKind, record as RecordKind, verdict] as const),
)

describe('the decision table', () => {
  test('is this', () => {
    const kinds = Object.keys(records) as RecordKind[]
    const rows = Object.entries(verdicts).map(([job, row]) => [job, ...kinds.map(kind => row[kind])])
    expect(`\n${aligned([['queue \\ journal', ...kinds], ...rows])}`).toMatchInlineSnapshot(`
      "
      queue \\ journal  none             started      ended         signalled
      silent           keep             begin        record, open  keep
      pending          pending          running      record, open  pending
      held             held             held         held          held
      running          running          running      record, open  running
      completing       keep             running      record, open  wait
      finished         queue, open      queue, open  record        record
      ended            queue, open      queue, open  record        record
      cancelled        cancelled        cancelled    record        cancelled
      forced           queue            queue        queue         queue
      timeout          queue, open      queue, open  earlier       queue
      gone             wait             wait         record, open  wait
      removed          cancelled, open  wait         record, open  wait
      unsubmitted      lost             begin        record        record"
    `)
  })

  test.each(cells)('if the queue says %s and the journal %s: %s', (job, record, verdict) => {
    const witnesses = { job: jobs[job], record: records[record] }
    expect([stateKind(witnesses.job), recordKind(witnesses.record)]).toEqual([job, record])
    expect(judge({ ...witnesses, known: known(isRunning) })).toMatchObject(outcomes[verdict])
  })
})
