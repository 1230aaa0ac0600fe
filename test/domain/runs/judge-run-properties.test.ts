import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EndRecord, GroupRecord } from '../../../src/domain/runs/group-record.js'
import { judgeRun, type KnownRun, unknownGroup } from '../../../src/domain/runs/judge-run.js'
import { type GroupStatus, hasEnded } from '../../../src/domain/runs/run.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import { cases } from '../../cases.js'
import {
  completing,
  type Ended,
  early,
  ended,
  exit,
  gone,
  grace,
  held,
  isFinished,
  isLost,
  isRunning,
  judge,
  late,
  neverStarted,
  now,
  pending,
  removed,
  running,
  seen,
  start,
  unsubmitted,
} from './witnesses.js'

describe('for any witnesses', () => {
  const usage = fc.record({
    peakMemory: fc.option(fc.nat()),
    cpuTime: fc.option(fc.nat()),
  })
  const restarts = fc.integer({ min: 0, max: 2 })
  const outcome = fc.constantFrom<Ended['outcome']>(
    'finished',
    'cancelled',
    'exit',
    'signal',
    'oom',
    'node_fail',
    'timeout',
  )
  const job: fc.Arbitrary<SchedulerState | null> = fc.oneof(
    restarts.map(pending),
    restarts.map(running),
    restarts.map(completing),
    restarts.map(count => ({ ...held, restarts: count })),
    fc
      .record({ outcome, exitCode: fc.constantFrom(0, 1, 125) })
      .map(({ outcome, exitCode }) => ended(outcome, { exitCode })),
    fc.constantFrom(gone, removed, unsubmitted, null),
  )
  const recorded = fc.constantFrom<EndRecord['outcome']>('exit', 'launch', 'stopped', 'timeout')
  const record: fc.Arbitrary<GroupRecord | null> = fc.oneof(
    fc.constant(null),
    restarts.map(count => start({ restarts: count })),
    fc
      .record({ code: fc.constantFrom(0, 1, 137), outcome: recorded, restarts })
      .map(({ code, ...facts }) => exit(code, facts)),
  )
  const heldFor: GroupStatus = { state: 'held', reason: 'JobHeldAdmin' }
  const live = fc.constantFrom<GroupStatus>({ state: 'pending' }, { state: 'held', reason: null }, heldFor, isRunning)
  const dead = fc.constantFrom<GroupStatus>(isFinished, isLost, neverStarted, { state: 'cancelled', ...seen })
  const awaiting = fc.constantFrom(null, now, early, late, late - 1)
  const knownGroup = fc.record({ status: fc.oneof(live, dead), restarts, awaiting }, { noNullPrototype: true })
  // On this machine nothing lags: the grace is 0.
  const lag = fc.constantFrom(grace, 0)
  const witnesses = fc.record({ record, job, known: knownGroup, cancelled: fc.boolean(), grace: lag })
  const runs = { numRuns: cases(2_000) }

  test('a missing answer changes nothing', () => {
    const silence = fc.record({ known: knownGroup, cancelled: fc.boolean() })
    fc.assert(
      fc.property(silence, each => {
        expect(judge(each)).toEqual(each.known)
      }),
      runs,
    )
  })

  test('judging them twice gives the same', () => {
    fc.assert(
      fc.property(witnesses, each => {
        const first = judge(each)
        expect(judge({ ...each, known: first })).toEqual(first)
      }),
      runs,
    )
  })

  test('later they mean the same, until the grace of the group is over', () => {
    fc.assert(
      fc.property(witnesses, fc.nat({ max: 5 * grace }), (each, after) => {
        const first = judge(each)
        fc.pre(first.awaiting === null || now + after < first.awaiting + each.grace)
        expect(judge({ ...each, known: first, now: now + after })).toEqual(first)
      }),
      runs,
    )
  })

  test('no group finishes unless its record or the scheduler says so', () => {
    fc.assert(
      fc.property(witnesses, each => {
        fc.pre(!hasEnded(each.known.status.state))
        const { record, job } = each
        const isRecorded = record?.kind === 'end' && record.outcome === 'exit' && record.code === 0
        const isReported = job?.kind === 'ended' && job.outcome === 'finished'
        if (judge(each).status.state === 'finished') expect(isRecorded || isReported).toBe(true)
      }),
      runs,
    )
  })

  test('a group whose processes are ended by the queue runs only if its last start has no end', () => {
    fc.assert(
      fc.property(witnesses, restarts, ({ job: _, ...each }, count) => {
        const { record, known } = each
        fc.pre(!hasEnded(known.status.state))
        const after = judge({ ...each, job: completing(count) })
        const isStarted = record?.kind === 'start' && record.restarts >= known.restarts
        const isUnheard = known.status.state === 'running' && after.restarts === known.restarts
        if (isStarted) expect(after.status.state).toBe('running')
        else if (!isUnheard) expect(after.status.state).not.toBe('running')
      }),
      runs,
    )
  })

  test('no group that has ended or is gone is open after the grace', () => {
    fc.assert(
      fc.property(witnesses, each => {
        fc.pre(['ended', 'gone', 'removed'].includes(each.job?.kind ?? ''))
        const { awaiting } = judge(each)
        if (awaiting !== null) expect(now - awaiting).toBeLessThan(each.grace)
      }),
      runs,
    )
  })

  test('a group that stays open is settled after the grace, and does not change again', () => {
    fc.assert(
      fc.property(witnesses, each => {
        fc.pre(['ended', 'gone', 'removed'].includes(each.job?.kind ?? ''))
        const settled = judge({ ...each, known: judge(each), now: now + grace })
        expect(settled).toMatchObject({ awaiting: null })
        expect(judge({ ...each, known: settled, now: now + 5 * grace })).toEqual(settled)
      }),
      runs,
    )
  })

  test('a run has the groups that change, each judged by itself', () => {
    const groups = fc.array(fc.record({ record, job, known: knownGroup }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(groups, each => {
        const reports = each.map(({ known: { status, restarts, awaiting } }, index) => ({
          ...{ index, status },
          ...(restarts > 0 && { restarts }),
          ...(awaiting !== null && { awaiting }),
        }))
        const isUnknown = (index: number) => isDeepStrictEqual(each[index]!.known, unknownGroup)
        const known: KnownRun = {
          groupCount: each.length,
          open: new Map(reports.flatMap(report => (isUnknown(report.index) ? [] : [[report.index, report]]))),
          settled: new Set(),
          stored: index => reports[index]!,
          attemptOf: () => 1,
          isCancelled: () => false,
        }
        const evidence = {
          ...{ answered: true, isQueued: () => false },
          record: (index: number) => each[index]!.record,
          job: (index: number) => each[index]!.job,
        }
        const changed = each.flatMap((group, index) => {
          const after = judge(group)
          return isDeepStrictEqual(after, group.known) ? [] : [[index, after.status]]
        })
        const judged = judgeRun(known, evidence, { now, grace })
        expect(judged.map(({ index, status }) => [index, status])).toEqual(changed)
      }),
      runs,
    )
  })

  test('what a group has used decides nothing, and is that of the best witness that knows it', () => {
    fc.assert(
      fc.property(witnesses, usage, usage, (each, inRecord, inQueue) => {
        const record = each.record?.kind === 'end' ? { ...each.record, used: inRecord } : each.record
        const job = each.job?.kind === 'ended' ? { ...each.job, used: inQueue } : each.job
        const [plain, told] = [judge(each), judge({ ...each, record, job })]
        const { used, ...status } = { used: undefined, ...told.status }
        expect({ ...told, status }).toEqual(plain)
        if (used === undefined) return
        for (const name of ['peakMemory', 'cpuTime'] as const) {
          expect([inRecord[name], inQueue[name], null]).toContain(used[name])
          if (record?.kind === 'end' && record.restarts >= told.restarts && inRecord[name] !== null) {
            expect(used[name]).toBe(inRecord[name])
          }
        }
      }),
    )
  })
})
