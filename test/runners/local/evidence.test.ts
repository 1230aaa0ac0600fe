import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EndRecord } from '../../../src/domain/runs/group-record.js'
import { judgeRun } from '../../../src/domain/runs/judge-run.js'
import { type GroupReport, hasEnded } from '../../../src/domain/runs/run.js'
import type { OpenStart } from '../../../src/runfolder/evidence/slot-journals.js'
import { type LocalNews, localEvidence, processQueries } from '../../../src/runners/local/evidence.js'
import type { PolledRun } from '../../../src/runners/types.js'
import type { Life, ProcessIdentity } from '../../../src/system/process-identity.js'
import { cases } from '../../cases.js'

type State = GroupReport['status']['state']

const groupCount = 4
const machine = { host: 'n1', machineId: 'm', bootId: 'b', namespace: 'pid:[1]' }
const keeper: ProcessIdentity = { ...machine, pid: 1, start: '1' }
const worker: ProcessIdentity = { ...machine, pid: 2, start: '2' }
const place = { host: 'n1', jobId: null, restarts: 0 }

function startOf(index: number): OpenStart {
  return { kind: 'start', index, attempt: 1, pid: 10 + index, started: 1_000, worker, ...place }
}

function endOf(index: number, code: number, outcome: EndRecord['outcome']): EndRecord {
  return { kind: 'end', index, attempt: 1, code, outcome, started: 1_000, ended: 2_000, ...place }
}

const life = fc.constantFrom<Life>('lives', 'dead', 'unknown')
const ofGroups = { minLength: groupCount, maxLength: groupCount }
const end = fc.record({
  code: fc.constantFrom(0, 3, 137, 143),
  outcome: fc.constantFrom<EndRecord['outcome']>('exit', 'launch', 'stopped'),
})
/** What the journal says of a group: nothing, that it began, or how it ended. */
const journal = fc.oneof(fc.constantFrom('waits' as const, 'begun' as const), end)
const situation = fc.record({
  journals: fc.array(journal, ofGroups),
  lives: fc.record({ keeper: life, worker: life, groups: fc.array(life, ofGroups) }),
  cancelled: fc.boolean(),
  planless: fc.boolean(),
})
type Situation = typeof situation extends fc.Arbitrary<infer Value> ? Value : never

/** How the groups of a run are judged of which this was known before, by index. */
function judged(
  { journals, lives, cancelled, planless }: Situation,
  known = new Map<number, GroupReport>(),
): GroupReport[] {
  const attemptOf = () => 1
  const isCancelled = () => cancelled
  const isSettled = (state: State | undefined) => state !== undefined && hasEnded(state) && state !== 'lost'
  const settled = { has: (index: number) => isSettled(known.get(index)?.status.state) }
  const open = new Map([...known].filter(([index]) => !settled.has(index)))
  const identity = { token: 't', runId: 1, place: { here: '/mirror', there: '/r' }, groupCount, jobName: 'it_1' }
  const handle = { attempt: 1, indices: null, first: 0, count: groupCount, id: '1', data: keeper as never }
  const handles = [{ ...identity, ...handle }]
  const stored = {
    partial: new Set<number>(),
    foreign: new Map(),
    attemptOf,
    isCancelled,
    open,
    settled,
    asOf: 0,
    cursor: null,
  }
  const run: PolledRun = { ...identity, handles, ...stored }
  const ends = [...journals.entries()].flatMap(([index, each]) =>
    typeof each === 'string' ? [] : [[index, endOf(index, each.code, each.outcome)] as const],
  )
  const starts = journals.flatMap((each, index) => (each === 'begun' ? startOf(index) : []))
  const news: LocalNews = {
    cursor: {},
    workers: new Map([[1, [worker]]]),
    planless: new Set(planless ? [1] : []),
    slots: new Map(),
    starts,
    ends: new Map(ends),
  }
  const lifeOf = (pid: number) => (pid === 1 ? lives.keeper : pid === 2 ? lives.worker : lives.groups[pid - 10]!)
  const answers = new Map(processQueries([{ run, news }]).map(({ key, process }) => [key, lifeOf(process.pid)]))
  const of = { stored: (index: number) => known.get(index)!, attemptOf, isCancelled }
  return judgeRun({ groupCount, open, settled, ...of }, localEvidence({ run, news }, answers), { now: 5_000, grace: 0 })
}

type Said = Situation['journals'][number]

/** Tries what has to hold of each group: what its journal says, the state that it is in, and all that is so. */
function always(
  holds: (said: Said, state: State, each: Situation, index: number) => void,
  facts = (each: Situation) => each,
) {
  const property = fc.property(situation.map(facts), each => {
    const states = new Map(judged(each).map(({ index, status }) => [index, status.state]))
    for (const [index, said] of each.journals.entries()) holds(said, states.get(index) ?? 'pending', each, index)
  })
  fc.assert(property, { numRuns: cases(1_000) })
}

describe('of a local run, whatever its journals and processes say,', () => {
  test('a recorded end counts, and a group finishes only by its own record of exit 0', () => {
    always((said, state) => {
      const isEnd = typeof said !== 'string'
      expect(state === 'finished').toBe(isEnd && said.outcome === 'exit' && said.code === 0)
      if (isEnd) expect(hasEnded(state)).toBe(true)
    })
  })

  test('no group is lost or cancelled while it may live, or while nobody can tell', () => {
    always((said, state, { lives: { keeper, worker, groups } }, index) => {
      const mayLive = said === 'begun' ? [worker, groups[index]!] : [keeper, worker]
      if (typeof said === 'string' && mayLive.some(life => life !== 'dead')) {
        expect(['pending', 'running']).toContain(state)
      }
    })
  })

  test('a group that waits is pending as long as a worker lives, which may take it', () => {
    always(
      (said, state) => {
        if (said === 'waits') expect(state).toBe('pending')
      },
      ({ lives, ...each }) => ({ ...each, lives: { ...lives, keeper: 'dead', worker: 'lives' } }),
    )
  })

  test('if all processes are dead, what ran has ended, and what waits is pending unless it was cancelled or its plan is gone', () => {
    const lives = { keeper: 'dead', worker: 'dead', groups: Array<Life>(groupCount).fill('dead') } as const
    always(
      (said, state, { cancelled, planless }) =>
        said === 'waits' && !cancelled && !planless
          ? expect(state).toBe('pending')
          : expect(hasEnded(state)).toBe(true),
      each => ({ ...each, lives: { ...lives, groups: [...lives.groups] } }),
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
      { numRuns: cases(1_000) },
    )
  })
})
