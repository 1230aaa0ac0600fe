import { describe, expect, test } from 'vitest'
import {
  type RecordKind,
  recordKind,
  type StateKind,
  stateKind,
  type Verdict,
  verdicts,
} from '../../../src/domain/runs/verdicts.js'
import { aligned } from '../../../src/views/format/aligned.js'
import { jobOf, judge, judgementText, knownOf, recordOf } from './witnesses.js'

/** One answer of the queue of each kind. */
const jobs: Readonly<Record<StateKind, string>> = {
  ...{ silent: '', pending: 'pending', held: 'held', running: 'running', completing: 'completing' },
  ...{ finished: 'finished', ended: 'exit 3', cancelled: 'cancelled', forced: 'oom', timeout: 'timeout' },
  ...{ gone: 'gone', removed: 'removed', unsubmitted: 'unsubmitted', unattended: 'unattended' },
}

/** One record of each kind. */
const records: Readonly<Record<RecordKind, string>> = {
  ...{ none: '', started: 'start', ended: 'exit 4', signalled: 'stopped 143' },
}

/** What each verdict makes of a group that is known to run since 1 s, where the queue ends it with 3 and its record with 4. */
const outcomes: Readonly<Record<Verdict, RegExp>> = {
  ...{ keep: /^running 1000– n1$/, begin: /^running 1000– n1$/, running: /^running \d+– \w+$/, pending: /^pending$/ },
  ...{ held: /^held JobHeldAdmin$/, cancelled: /^cancelled 1000–\d+ n1$/, lost: /^lost never_started 1000– n1$/ },
  ...{
    record: /^failed (exit 4|signal SIGTERM 143) 1000–2000 n1$/,
    'record, open': /^failed exit 4 1000–2000 n1, open$/,
  },
  ...{ queue: /^failed (oom|timeout) \d+ 1000–\d+ n1$/, earlier: /^failed exit 4 1000–2000 n1$/ },
  'queue, open': /^(finished 0|failed exit 3|failed timeout 0) 1000–2100 n1, open$/,
  'pending unless cancelled': /^pending$/,
  // It was seen to run.
  ...{ 'cancelled, open': /^running 1000– n1, open$/, wait: /^running 1000– n1, open$/ },
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
      queue \\ journal  none                      started      ended         signalled
      silent           keep                      begin        record, open  keep
      pending          pending                   running      record, open  pending
      held             held                      held         held          held
      running          running                   running      record, open  running
      completing       keep                      running      record, open  wait
      finished         queue, open               queue, open  record        record
      ended            queue, open               queue, open  record        record
      cancelled        cancelled                 cancelled    record        cancelled
      forced           queue                     queue        queue         queue
      timeout          queue, open               queue, open  earlier       queue
      gone             wait                      wait         record, open  wait
      removed          cancelled, open           wait         record, open  wait
      unattended       pending unless cancelled  begin        record        record
      unsubmitted      lost                      begin        record        record"
    `)
  })

  test.each(cells)('if the queue says %s and the journal %s: %s', (job, record, verdict) => {
    const witnesses = { job: jobOf(jobs[job]), record: recordOf(records[record]) }
    expect([stateKind(witnesses.job), recordKind(witnesses.record)]).toEqual([job, record])
    expect(judgementText(judge({ ...witnesses, known: knownOf('running') }))).toMatch(outcomes[verdict])
  })
})
