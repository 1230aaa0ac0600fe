import { expect, test } from 'vitest'
import type { GroupReport, GroupStatus } from '../../src/domain/runs/run.js'
import type { Unread } from '../../src/store/readings.js'
import { experimentCalled, launchOf, newStore, runOf } from './stores.js'

const end = { started: 1, finished: 3, host: null, jobId: null }
const finished: GroupStatus = { state: 'finished', exitCode: 0, ...end }
const failed: GroupStatus = { state: 'failed', cause: 'oom', exitCode: 0, signal: null, ...end }

/** A store with a run of five groups, of which these have changed. */
function storeWith(...reports: GroupReport[]) {
  const { store } = newStore()
  store.experiments.insert(experimentCalled('it'))
  store.runs.insert(1, runOf('it', 5), launchOf('it', 'a-token'))
  store.runs.update(1, reports, null, 1)
  return store
}

/** The first execution of a group. */
const execution = (index: number): Unread => ({ index, attempt: 1, restarts: 0, finished: 3 })

const reading = { metrics: { acc: 0.5, nan: Number.NaN }, warnings: [] }

test('groups are read after they have finished, once for each execution', () => {
  const store = storeWith({ index: 1, status: finished }, { index: 2, status: failed }, { index: 3, status: finished })
  const first = execution(1)
  expect(store.readings.unread(1)).toEqual([first, execution(3)])
  store.readings.put(1, [
    { ...first, ...reading },
    { ...execution(3), ...reading },
  ])
  expect(store.readings.unread(1)).toEqual([])
})

test.each<[string, Partial<GroupReport>, Partial<Unread>]>([
  ['was retried', { attempt: 2 }, { attempt: 2 }],
  ['was requeued', { restarts: 1 }, { restarts: 1 }],
  ['ended again before anybody knew that it was requeued', { status: { ...finished, finished: 4 } }, { finished: 4 }],
  ['has lost the time of its end', { status: { ...finished, finished: null } }, { finished: null }],
])('a group that %s has no metrics until it has been read again', (_, change, expected) => {
  const store = storeWith({ index: 0, status: finished }, { index: 1, status: finished })
  const again = { ...execution(1), ...expected }
  const metrics = () => store.readings.ended(1).get(1)?.metrics
  store.readings.put(1, [{ ...execution(1), metrics: { acc: 0.5 }, warnings: ['it is odd'] }])
  store.runs.update(1, [{ index: 1, status: { state: 'running', started: 2, host: null, jobId: null } }], null, 1)
  expect(metrics()).toEqual({})
  expect(store.readings.unread(1)).toEqual([execution(0)])
  store.runs.update(1, [{ index: 1, status: finished, ...change }], null, 1)
  expect(metrics()).toEqual({})
  expect(store.readings.warnings(1)).toEqual([])
  expect(store.readings.unread(1)).toEqual([execution(0), again])
  store.readings.put(1, [{ ...again, metrics: { acc: 0.75 }, warnings: [] }])
  expect(metrics()).toEqual({ acc: 0.75 })
  expect(store.readings.unread(1)).toEqual([execution(0)])
})

test('metrics are those of groups that have finished, also if a scheduler has said otherwise since', () => {
  const store = storeWith({ index: 0, status: finished }, { index: 4, status: finished })
  store.readings.put(
    1,
    [0, 4].map(index => ({ ...execution(index), ...reading })),
  )
  store.runs.update(1, [{ index: 4, status: failed }], null, 1)
  expect([...store.readings.ended(1)]).toEqual([
    [0, { state: 'finished', cause: null, started: 1, finished: 3, metrics: reading.metrics }],
    [4, { state: 'failed', cause: 'oom', started: 1, finished: 3, metrics: {} }],
  ])
})

test('readings are forgotten where metrics are looked for elsewhere, and with their run', () => {
  const store = storeWith({ index: 0, status: finished })
  const read = () => store.readings.put(1, [{ ...execution(0), metrics: {}, warnings: ['m.json is missing'] }])
  store.readings.setSources(1, '[]')
  read()
  store.readings.setSources(1, '[]')
  expect(store.readings.unread(1)).toEqual([])
  expect(store.readings.warnings(1)).toEqual([{ warning: 'm.json is missing', groups: 1, first: 0 }])
  store.readings.setSources(1, '["m.json"]')
  expect(store.readings.unread(1)).toHaveLength(1)
  expect(store.readings.warnings(1)).toEqual([])
  read()
  store.runs.delete(1)
  expect(store.readings.warnings(1)).toEqual([])
})
