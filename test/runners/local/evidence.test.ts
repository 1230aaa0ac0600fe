import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EndRecord } from '../../../src/domain/runs/group-record.js'
import { judgeRun, type KnownRun } from '../../../src/domain/runs/judge-run.js'
import { type GroupReport, hasEnded } from '../../../src/domain/runs/run.js'
import type { OpenStart } from '../../../src/runfolder/evidence/slot-journals.js'
import { type LocalNews, localEvidence, processQueries } from '../../../src/runners/local/evidence.js'
import type { PolledRun } from '../../../src/runners/types.js'
import type { Life, ProcessIdentity } from '../../../src/system/process-identity.js'
import { cases } from '../../cases.js'

const groupCount = 4
const machine = { host: 'n1', machineId: 'm', bootId: 'b', namespace: 'pid:[1]' }
const supervisor: ProcessIdentity = { ...machine, pid: 1, start: '1' }
const worker: ProcessIdentity = { ...machine, pid: 2, start: '2' }
const place = { host: 'n1', jobId: null, restarts: 0 }

function startOf(index: number): OpenStart {
  return { kind: 'start', index, attempt: 1, pid: 10 + index, started: 1_000, worker, ...place }
}

function endOf(index: number, code: number, outcome: EndRecord['outcome']): EndRecord {
  return { kind: 'end', index, attempt: 1, code, outcome, started: 1_000, ended: 2_000, ...place }
}

/** Where each group is: not begun, begun, or ended. */
const journal = fc.oneof(
  fc.constant('waits' as const),
  fc.constant('begun' as const),
  fc.record({
    code: fc.constantFrom(0, 3, 137, 143),
    outcome: fc.constantFrom<EndRecord['outcome']>('exit', 'launch', 'stopped'),
  }),
)
const situation = fc.record({
  journals: fc.array(journal, { minLength: groupCount, maxLength: groupCount }),
  lives: fc.record({
    supervisor: life(),
    worker: life(),
    groups: fc.array(life(), { minLength: groupCount, maxLength: groupCount }),
  }),
  cancelled: fc.boolean(),
})

function life(): fc.Arbitrary<Life> {
  return fc.constantFrom('lives', 'dead', 'unknown')
}

type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

/** How the groups of a run are judged of which nothing was known before, by index. */
function judged({ journals, lives, cancelled }: Situation, known = new Map<number, GroupReport>()): GroupReport[] {
  const attemptOf = () => 1
  const settled = {
    has: (index: number) =>
      known.has(index) && hasEnded(known.get(index)!.status.state) && known.get(index)!.status.state !== 'lost',
  }
  const open = new Map([...known].filter(([index]) => !settled.has(index)))
  const handle = { attempt: 1, indices: null, first: 0, count: groupCount, id: '1', data: supervisor as never }
  const identity = { token: 't', storagePath: '/r', groupCount, jobName: 'it_1' }
  const run: PolledRun = {
    ...identity,
    handles: [{ ...identity, ...handle }],
    partial: new Set(),
    foreign: new Map(),
    attemptOf,
    open,
    settled,
    asOf: 0,
    cursor: null,
  }
  const news: LocalNews = {
    cursor: {},
    workers: [worker],
    starts: journals.flatMap((each, index) => (each === 'begun' ? startOf(index) : [])),
    ends: new Map(
      journals.flatMap((each, index) =>
        typeof each === 'string' ? [] : [[index, endOf(index, each.code, each.outcome)]],
      ),
    ),
  }
  const lifeOf = (pid: number) => (pid === 1 ? lives.supervisor : pid === 2 ? lives.worker : lives.groups[pid - 10]!)
  const queries = processQueries([{ run, news }])
  const answers = new Map(queries.map(({ key, process }) => [key, lifeOf(process.pid)]))
  const stored: KnownRun = {
    groupCount,
    open,
    settled,
    stored: index => known.get(index)!,
    attemptOf,
    isCancelled: () => cancelled,
  }
  return judgeRun(stored, localEvidence({ run, news }, answers), { now: 5_000, grace: 0 })
}

function stateOf(reports: readonly GroupReport[], index: number): string {
  return reports.find(report => report.index === index)?.status.state ?? 'pending'
}

describe('of a local run, whatever its journals and processes say,', () => {
  const runs = { numRuns: cases(1_000) }

  test('a group finishes only by its own record of exit 0', () => {
    fc.assert(
      fc.property(situation, each => {
        for (const [index, said] of each.journals.entries()) {
          const isFinished = typeof said !== 'string' && said.outcome === 'exit' && said.code === 0
          expect(stateOf(judged(each), index) === 'finished').toBe(isFinished)
        }
      }),
      runs,
    )
  })

  test('a recorded end counts, even if nobody can tell which processes live', () => {
    fc.assert(
      fc.property(situation, each => {
        const reports = judged(each)
        for (const [index, said] of each.journals.entries()) {
          if (typeof said !== 'string') expect(hasEnded(stateOf(reports, index) as 'lost')).toBe(true)
        }
      }),
      runs,
    )
  })

  test('no group is lost or cancelled while it may live, or while nobody can tell', () => {
    fc.assert(
      fc.property(situation, each => {
        const { supervisor: above, worker: shell, groups } = each.lives
        const reports = judged(each)
        // A shell that runs a group is given no other without its supervisor.
        const starters = each.journals.includes('begun') ? [above] : [above, shell]
        for (const [index, said] of each.journals.entries()) {
          const mayLive = said === 'begun' ? [shell, groups[index]!] : starters
          if (typeof said === 'string' && mayLive.some(life => life !== 'dead')) {
            expect(['pending', 'running']).toContain(stateOf(reports, index))
          }
        }
      }),
      runs,
    )
  })

  test('a group that waits never starts once its supervisor is dead and the shell runs another group', () => {
    fc.assert(
      fc.property(situation, each => {
        const reports = judged({
          ...each,
          journals: ['begun', ...each.journals.slice(1)],
          lives: { ...each.lives, supervisor: 'dead', worker: 'lives' },
        })
        for (const [index, said] of each.journals.entries()) {
          const end = each.cancelled ? 'cancelled' : 'lost'
          if (index > 0 && said === 'waits') expect(stateOf(reports, index)).toBe(end)
        }
      }),
      runs,
    )
  })

  test('no group lives if all processes are dead', () => {
    fc.assert(
      fc.property(situation, each => {
        const dead = { supervisor: 'dead', worker: 'dead', groups: each.lives.groups.map((): Life => 'dead') } as const
        const reports = judged({ ...each, lives: { ...dead, groups: [...dead.groups] } })
        for (let index = 0; index < groupCount; index++) expect(hasEnded(stateOf(reports, index) as 'lost')).toBe(true)
      }),
      runs,
    )
  })

  test('a second refresh gives the same, and ended groups stay as they are', () => {
    fc.assert(
      fc.property(situation, situation, (first, second) => {
        const known = new Map(judged(first).map(report => [report.index, report]))
        expect(judged(first, known)).toEqual([])
        for (const { index } of judged(second, known)) {
          const state = known.get(index)?.status.state
          expect(state === undefined || state === 'lost' || !hasEnded(state)).toBe(true)
        }
      }),
      runs,
    )
  })
})
