import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { GroupRecord } from '../../../src/domain/runs/group-record.js'
import { judgeRun, type KnownRun, unknownGroup } from '../../../src/domain/runs/judge-run.js'
import { hasEnded } from '../../../src/domain/runs/run.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import { cases, testAny } from '../../cases.js'
import { early, grace, jobOf, judge, late, now, recordOf, statuses } from './witnesses.js'

/** Texts that consist of one of these words, a code, and a number of restarts. */
const wordsOf = (words: readonly string[], codes: readonly string[], restarts = ['']) =>
  fc.tuple(...[words, codes, restarts].map(each => fc.constantFrom(...each))).map(parts => parts.join(''))

const counts = ['', '#1', '#2']
const live = wordsOf(['pending', 'running', 'completing', 'held'], [''], counts)
const outcomes = ['finished', 'cancelled', 'exit', 'signal', 'oom', 'node_fail', 'timeout']
const end = wordsOf(outcomes, [' 0', ' 1', ' 125'])
const job: fc.Arbitrary<SchedulerState | null> = fc
  .oneof(live, end, fc.constantFrom('gone', 'removed', 'unsubmitted', ''))
  .map(jobOf)
const recorded = wordsOf(['exit', 'launch', 'stopped', 'timeout'], [' 0', ' 1', ' 137'], counts)
const record: fc.Arbitrary<GroupRecord | null> = fc
  .oneof(fc.constant(''), wordsOf(['start'], [''], counts), recorded)
  .map(recordOf)
const liveNames = ['pending', 'held', 'held for a reason', 'running']
const status = fc.oneof(...[liveNames, ['finished', 'lost', 'never started', 'cancelled']].map(constantStatus))
const restarts = fc.nat({ max: 2 })
const awaiting = fc.constantFrom(null, now, early, late, late - 1)
const known = fc.record({ status, restarts, awaiting }, { noNullPrototype: true })
// On this machine nothing lags: the grace is 0.
const witnesses = fc.record({ record, job, known, cancelled: fc.boolean(), grace: fc.constantFrom(grace, 0) })
const runs = { numRuns: cases(2_000) }

function constantStatus(names: readonly string[]) {
  return fc.constantFrom(...names.map(name => statuses[name]!))
}

describe('for any witnesses', () => {
  testAny([known, fc.boolean()], runs)('a missing answer changes nothing', (stored, cancelled) => {
    expect(judge({ known: stored, cancelled })).toEqual(stored)
  })

  testAny([witnesses], runs)('judging them twice gives the same', each => {
    const first = judge(each)
    expect(judge({ ...each, known: first })).toEqual(first)
  })

  const later = fc.nat({ max: 5 * grace })
  testAny([witnesses, later], runs)('later they mean the same, until the grace of the group is over', (each, after) => {
    const first = judge(each)
    fc.pre(first.awaiting === null || now + after < first.awaiting + each.grace)
    expect(judge({ ...each, known: first, now: now + after })).toEqual(first)
  })

  testAny([witnesses], runs)('no group finishes unless its record or the scheduler says so', each => {
    fc.pre(!hasEnded(each.known.status.state))
    const isRecorded = each.record?.kind === 'end' && each.record.outcome === 'exit' && each.record.code === 0
    const isReported = each.job?.kind === 'ended' && each.job.outcome === 'finished'
    if (judge(each).status.state === 'finished') expect(isRecorded || isReported).toBe(true)
  })

  testAny([witnesses, restarts], runs)(
    'a group whose processes are ended by the queue runs only if its last start has no end',
    (each, count) => {
      const { status, restarts: before } = each.known
      fc.pre(!hasEnded(status.state))
      const after = judge({ ...each, job: { kind: 'completing', restarts: count } })
      const isStarted = each.record?.kind === 'start' && each.record.restarts >= before
      const isUnheard = status.state === 'running' && after.restarts === before
      if (isStarted) expect(after.status.state).toBe('running')
      else if (!isUnheard) expect(after.status.state).not.toBe('running')
    },
  )

  testAny([witnesses], runs)(
    'a group that has ended or is gone is settled after the grace, and stays as it is',
    each => {
      fc.pre(['ended', 'gone', 'removed'].includes(each.job?.kind ?? ''))
      const first = judge(each)
      if (first.awaiting !== null) expect(now - first.awaiting).toBeLessThan(each.grace)
      const settled = judge({ ...each, known: first, now: now + grace })
      expect(settled).toMatchObject({ awaiting: null })
      expect(judge({ ...each, known: settled, now: now + 5 * grace })).toEqual(settled)
    },
  )

  const groups = fc.array(fc.record({ record, job, known }), { minLength: 1, maxLength: 5 })
  testAny([groups], runs)('a run has the groups that change, each judged by itself', all => {
    const reports = all.map(({ known: { status, restarts, awaiting } }, index) => ({
      ...{ index, status },
      ...(restarts > 0 && { restarts }),
      ...(awaiting !== null && { awaiting }),
    }))
    const open = reports.filter(({ index }) => !isDeepStrictEqual(all[index]!.known, unknownGroup))
    const run: KnownRun = {
      ...{ groupCount: all.length, settled: new Set(), open: new Map(open.map(report => [report.index, report])) },
      ...{ stored: index => reports[index]!, attemptOf: () => 1, isCancelled: () => false },
    }
    const evidence = {
      ...{ answered: true, isQueued: () => false },
      ...{ record: (index: number) => all[index]!.record, job: (index: number) => all[index]!.job },
    }
    const changed = all.flatMap((group, index) => {
      const after = judge(group)
      return isDeepStrictEqual(after, group.known) ? [] : [[index, after.status]]
    })
    expect(judgeRun(run, evidence, { now, grace }).map(({ index, status }) => [index, status])).toEqual(changed)
  })

  const usage = fc.record({ peakMemory: fc.option(fc.nat()), cpuTime: fc.option(fc.nat()) })
  testAny([witnesses, usage, usage])(
    'what a group has used decides nothing, and is that of the best witness that knows it',
    (each, inRecord, inQueue) => {
      const record = each.record?.kind === 'end' ? { ...each.record, used: inRecord } : each.record
      const job = each.job?.kind === 'ended' ? { ...each.job, used: inQueue } : each.job
      const [plain, told] = [judge(each), judge({ ...each, record, job })]
      const { used, ...status } = { used: undefined, ...told.status }
      expect({ ...told, status }).toEqual(plain)
      if (used === undefined) return
      for (const name of ['peakMemory', 'cpuTime'] as const) {
        expect([inRecord[name], inQueue[name], null]).toContain(used[name])
        const isRecorded = record?.kind === 'end' && record.restarts >= told.restarts && inRecord[name] !== null
        if (isRecorded) expect(used[name]).toBe(inRecord[name])
      }
    },
  )
})
