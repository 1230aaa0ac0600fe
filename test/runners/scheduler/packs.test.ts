import { expect, test } from 'vitest'
import type { GroupRecord } from '../../../src/domain/runs/group-record.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import { jobKey } from '../../../src/runfolder/evidence/pack-journals.js'
import { jobEvidence } from '../../../src/runners/scheduler/evidence.js'
import { type Location, locate, packedPart, tasksFor } from '../../../src/runners/scheduler/locate.js'
import type { JobHandle, PolledRun } from '../../../src/runners/types.js'
import { jobOf, recordOf } from '../../domain/runs/witnesses.js'

const intent = {
  ...{ token: 't', runId: 1, place: { here: '/mirror', there: '/r' }, groupCount: 11, jobName: 'it_1' },
  ...{ attempt: 1, indices: null },
}
/** A submission of jobs of four groups. */
const handleOf = (id: string, number: number, jobs?: number[]): JobHandle => ({
  ...{ ...intent, id },
  ...packedPart(intent, { first: 0, count: 11, pack: 4, ...(jobs && { jobs }) }, number),
})
const first = handleOf('36', 0)
const later = handleOf('40', 1, [0, 2])

interface Said {
  readonly handles: readonly JobHandle[]
  readonly records: Readonly<Record<number, string>>
  /** What the queue says of jobs, by their ids. */
  readonly jobs: Readonly<Record<string, string>>
  /** The jobs in which a group has ended, by the first of their groups and their generation. */
  readonly ended?: readonly (readonly [first: number, generation: number])[]
  readonly settled?: readonly number[]
  readonly isCancelled?: boolean
}

function evidence({ handles, records, jobs, ended = [], settled = [], isCancelled = false }: Said) {
  const run: PolledRun = {
    ...{ ...intent, handles, partial: new Set(), foreign: new Map(), open: new Map(), settled: new Set(settled) },
    ...{ attemptOf: () => 1, isCancelled: () => isCancelled, asOf: 0, cursor: null },
  }
  const facts = Object.fromEntries(
    ended.map(([at, generation]) => [jobKey(1, at, generation), { ended: true as const }]),
  )
  const parsed = Object.entries(records).map(([index, text]) => {
    const [job = '', record = ''] = text.split(': ')
    return [Number(index), { ...recordOf(record)!, index: Number(index), jobId: job } as GroupRecord] as const
  })
  const news = { cursor: { folder: null, packs: { read: {}, records: [], jobs: facts } }, records: new Map(parsed) }
  const stateAt = ({ handle, task }: Location): SchedulerState | null => jobOf(jobs[`${handle.id}_${task}`] ?? 'gone')
  return jobEvidence(run, news, true, stateAt, () => true, 'answers')
}

test('a group is in the last job that has it, unless another has begun it', () => {
  const at = (index: number, jobId?: string) => {
    const location = locate([first, later], index, 1, jobId)
    return location && `${location.handle.id}_${location.task}`
  }
  expect([0, 3, 4, 7, 8, 10].map(index => at(index))).toEqual(['40_0', '40_0', '36_1', '36_1', '40_2', '40_2'])
  expect([at(0, '36_0'), at(0, '40_0'), at(0, '99_0'), at(11)]).toEqual(['36_0', '40_0', null, null])
  expect([tasksFor(first, null), tasksFor(later, null), tasksFor(later, 5)]).toEqual([[0, 1, 2], [0, 2], []])
})

test('a failure of a job is that of groups that it has begun, also once a later job has the others', () => {
  const records = { 0: '36_0: exit 0', 1: '36_0: start', 2: '40_0: start' }
  const jobs = { '36_0': 'timeout', '36_1': 'pending', '40_0': 'running', '40_2': 'pending' }
  const { job, unreached } = evidence({ handles: [first, later], records, jobs, ended: [[0, 0]] })
  expect([1, 2, 3, 4, 8].map(index => job(index, 1)!.kind)).toEqual([
    'ended',
    'running',
    'pending',
    'pending',
    'pending',
  ])
  expect(job(1, 1)).toMatchObject({ outcome: 'timeout' })
  expect(unreached).toEqual([])
})

test('jobs that have left groups are due again, if a group has ended in them and nobody has cancelled them', () => {
  const records = { 0: '36_0: exit 0', 1: '36_0: start', 4: '36_1: start' }
  const jobs = { '36_0': 'timeout', '36_1': 'node_fail', '36_2': 'running' }
  const said = { handles: [first], records, jobs, ended: [[0, 0]] } as const
  const due = evidence(said)
  expect(due.unreached).toEqual([{ attempt: 1, first: 0, jobs: [0], groups: 2 }])
  // Otherwise a refusal of the scheduler would not be tried again as long as it says the same.
  expect(due.digest).toBeUndefined()
  expect([2, 5, 8].map(index => due.job(index, 1))).toEqual([
    { kind: 'pending', restarts: 0 },
    { kind: 'held', restarts: 0, reason: expect.stringContaining('(node_fail)') },
    { kind: 'pending', restarts: 0 },
  ])
  expect(evidence({ ...said, isCancelled: true }).unreached).toEqual([])
  expect(evidence({ ...said, settled: [2, 3] }).unreached).toEqual([])
  expect(evidence({ ...said, settled: [2] }).unreached).toMatchObject([{ groups: 1 }])
})

test('a group whose end is final counts as taken up again once its job has begun it anew', () => {
  const said = { handles: [first], records: { 1: '36_0: start#1' }, jobs: { '36_0': 'running#1' }, settled: [0, 1] }
  const { isQueued } = evidence(said)
  expect([0, 1].map(index => isQueued(index, 1))).toEqual([false, true])
})
