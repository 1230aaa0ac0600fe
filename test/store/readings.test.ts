import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as results from '../../src/domain/results/metrics.js'
import type { GroupReport, GroupStatus } from '../../src/domain/runs/run.js'
import type { Unread } from '../../src/store/readings.js'
import type { Store } from '../../src/store/store.js'
import { cases } from '../cases.js'
import { end, finished, storeWithRun } from './stores.js'

const nothingKept = { gone: [], unreadable: [] }
const failed: GroupStatus = { state: 'failed', cause: 'oom', exitCode: 0, signal: null, ...end }

/** A store with a run of five groups, of which these have the status. */
function storeWith(status: GroupStatus, ...groups: readonly number[]): Store {
  const reports = groups.map(index => ({ index, status }))
  const { store } = storeWithRun(5, reports)
  store.readings.setSources(1, '[]', nothingKept)
  return store
}

/** The first execution of a group. */
const execution = (index: number): Unread => ({ index, attempt: 1, restarts: 0, finished: end.finished })

/** Stores what was read of the first executions of groups. */
function put(store: Store, metrics: Readonly<Record<number, results.Metrics>>, warnings: readonly string[] = []): void {
  const read = Object.entries(metrics).map(([index, each]) => ({
    ...execution(Number(index)),
    metrics: each,
    warnings: warnings.map(text => ({ text, line: 3 })),
  }))
  store.transaction(() => store.readings.put(1, read))
}

test('groups are read after they have finished, once for each execution', () => {
  const store = storeWith(finished, 1, 3)
  store.runs.update(1, [{ index: 2, status: failed }], null, 1)
  expect(store.readings.unread(1)).toEqual([execution(1), execution(3)])
  put(store, { 1: { acc: 0.5 }, 3: {} })
  expect(store.readings.unread(1)).toEqual([])
})

test('groups are not looked for once all of them are known to be read, until one of them changes', () => {
  const store = storeWith(finished, 0, 1)
  const state = () => [store.readings.areAllRead(1), store.readings.unread(1)]
  put(store, { 0: {} })
  store.readings.noteAllRead(1)
  expect(state()).toEqual([false, [execution(1)]])
  put(store, { 1: {} })
  store.readings.noteAllRead(1)
  expect(state()).toEqual([true, []])
  expect(store.readings.best([1], { metrics: [], best: {}, outputs: [] })).toEqual(new Map())
  store.runs.update(1, [{ index: 2, status: finished }], null, 1)
  expect(state()).toEqual([false, [execution(2)]])
})

test.each<[string, Partial<GroupReport>, Partial<Unread>]>([
  ['was retried', { attempt: 2 }, { attempt: 2 }],
  ['was requeued', { restarts: 1 }, { restarts: 1 }],
  ['ended again before anybody knew that it was requeued', { status: { ...finished, finished: 4 } }, { finished: 4 }],
  ['has lost the time of its end', { status: { ...finished, finished: null } }, { finished: null }],
])('a group that %s has no metrics until it has been read again', (_, change, expected) => {
  const store = storeWith(finished, 0, 1)
  const again = { ...execution(1), ...expected }
  const metrics = () => store.readings.ended(1, 0, 5).metrics.at(1)
  put(store, { 1: { acc: 0.5 } }, ['it is odd'])
  store.runs.update(1, [{ index: 1, status: { state: 'running', started: 2, host: null, jobId: null } }], null, 1)
  expect([metrics(), store.readings.unread(1)]).toEqual([{}, [execution(0)]])
  store.runs.update(1, [{ index: 1, status: finished, ...change }], null, 1)
  expect([metrics(), store.readings.warnings(1)]).toEqual([{}, []])
  expect(store.readings.unread(1)).toEqual([execution(0), again])
  store.readings.put(1, [{ ...again, metrics: { acc: 0.75 }, warnings: [] }])
  expect([metrics(), store.readings.unread(1)]).toEqual([{ acc: 0.75 }, [execution(0)]])
})

describe('metrics are those of groups that have finished, whether or not all are known to be read', () => {
  const isRead = fc.constantFrom(true, true, true, false)
  const status = fc.constantFrom(finished, finished, failed)

  test.each([true, false])('all known: %s', areAllKnown => {
    fc.assert(
      fc.property(fc.array(fc.tuple(isRead, status), { minLength: 5, maxLength: 5 }), fc.nat(4), (groups, first) => {
        // All have finished first; a scheduler has then said otherwise of some.
        const store = storeWith(finished, ...groups.keys())
        const read = groups.flatMap(([isThere], index) => (isThere || areAllKnown ? [index] : []))
        put(store, Object.fromEntries(read.map(index => [index, { acc: index }])))
        const changes = groups.flatMap(([, now], index) => (now === failed ? [{ index, status: failed }] : []))
        store.transaction(() => store.runs.update(1, changes, null, 1))
        if (areAllKnown) store.readings.noteAllRead(1)
        expect(store.readings.areAllRead(1)).toBe(areAllKnown)
        const { numbers, states, metrics } = store.readings.ended(1, first, 3)
        expect(numbers).toEqual([0, 1, 2, 3, 4].slice(first, first + 3))
        expect(states).toEqual(numbers.map(index => (groups[index]![1] === failed ? 'failed' : 'finished')))
        expect(metrics).toEqual(
          numbers.map(index => (groups[index]![1] !== failed && read.includes(index) ? { acc: index } : {})),
        )
      }),
      { numRuns: cases(60) },
    )
  })

  test('with all that is known of the groups besides', () => {
    const store = storeWith(finished, 0)
    store.runs.update(1, [{ index: 4, status: failed }], null, 1)
    const metrics = { acc: 0.5, nan: Number.NaN }
    put(store, { 0: metrics })
    const known = {
      ...{ numbers: [0, 4], states: ['finished', 'failed'], causes: [null, 'oom'], durations: [4, 4] },
      metrics: [metrics, {}],
    }
    const usage = { starts: [5, 5], peakMemory: [null, null], cpuTimes: [null, null] }
    expect(store.readings.ended(1, 0, 5)).toEqual({ ...known, usage })
    expect(store.readings.ended(1, 0, 5, undefined, false)).toEqual({ ...known, usage: null })
  })
})

describe('the best values of a run', () => {
  const direction = fc.constantFrom<results.Direction>('min', 'max')
  const number = fc.oneof(
    fc.constantFrom(0, -1.5, 0.25, 1e300, Infinity, -Infinity, NaN),
    fc.integer({ min: -3, max: 3 }),
  )
  const metric: fc.Arbitrary<results.Metric> = fc.oneof(
    number,
    fc.constantFrom('0.5', '{"last": 7}', '', true, false),
    fc
      .array(number, { minLength: 1, maxLength: 3 })
      .map(values => results.seriesOf({ values, steps: values.map(() => null) })),
  )
  const name = fc.constantFrom('acc', 'test.f1', 'val/acc top-1', 'a"b', "it's", 'Größe', '$', '[0]')

  test('are those of the first finished group that has them, whatever a metric is called', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, direction),
        fc.array(fc.dictionary(name, metric), { maxLength: 5 }),
        (best, groups) => {
          const store = storeWith(finished, ...groups.keys())
          put(store, groups)
          const expected = Object.entries(best).flatMap(([metric, wanted]) => {
            const numbers = groups.map(metrics => results.numberOf(metrics[metric]) ?? Number.NaN)
            const known = numbers.filter(value => !Number.isNaN(value))
            const value = known.length === 0 ? null : wanted === 'max' ? Math.max(...known) : Math.min(...known)
            return value === null ? [] : [{ metric, value: value + 0, group: numbers.indexOf(value) }]
          })
          expect(found(store, best)).toEqual(expected)
        },
      ),
      { numRuns: cases(200) },
    )
  })

  const declared: results.ExpectedResults = { metrics: [], best: { acc: 'max' }, outputs: [] }
  const found = (store: Store, best = declared.best) => {
    store.readings.findBest(1, best)
    return store.readings.best([1, 2], { ...declared, best }).get(1) ?? null
  }
  const known = () => {
    const store = storeWith(finished, 0, 1)
    put(store, { 0: { acc: 0.5 }, 1: { acc: 0.75 } })
    expect(found(store)).toEqual([{ metric: 'acc', value: 0.75, group: 1 }])
    return store
  }

  test('are not known while a group has not been read, and are found again after it was requeued', () => {
    const store = known()
    store.runs.update(1, [{ index: 1, status: finished, restarts: 1 }], null, 1)
    expect([...store.readings.best([1], declared)]).toEqual([])
    expect(found(store)).toBeNull()
    store.readings.put(1, [{ ...execution(1), restarts: 1, metrics: { acc: 0.25 }, warnings: [] }])
    expect(found(store)).toEqual([{ metric: 'acc', value: 0.5, group: 0 }])
  })

  test('are found again if something else is declared, or if all metrics were forgotten', () => {
    const store = known()
    const isKnown = (what: results.ExpectedResults) => store.readings.best([1], what).has(1)
    expect(isKnown({ ...declared, best: { acc: 'min' } })).toBe(false)
    expect(isKnown({ ...declared, metrics: [{ stdout: '(?<acc>.)' }] })).toBe(false)
    expect(isKnown(declared)).toBe(true)
    store.readings.forget(1, nothingKept)
    expect(isKnown(declared)).toBe(false)
  })
})

test('readings of groups that cannot be read again are kept, with a warning, until these are read', () => {
  const store = storeWith(finished, 0, 1)
  put(store, { 0: { acc: 0 }, 1: { acc: 1 } })
  store.readings.noteAllRead(1)
  const kept = { gone: [1], unreadable: [0] }
  for (const forget of [() => store.readings.forget(1, kept), () => store.readings.setSources(1, '["m.json"]', kept)]) {
    forget()
    expect(store.readings.unread(1)).toEqual([execution(0)])
    expect([0, 1].map(index => store.readings.of(1, index))).toEqual([{ acc: 0 }, { acc: 1 }])
    const warning = expect.stringContaining('could not be read again')
    expect(store.readings.warnings(1)).toContainEqual({ warning, groups: 1, first: 0, line: null })
    put(store, { 0: { acc: 0 } })
    expect(store.readings.unread(1)).toEqual([])
    store.readings.noteAllRead(1)
  }
})

test('readings are forgotten where metrics are looked for elsewhere, and with their run', () => {
  const store = storeWith(finished, 0)
  const state = () => [store.readings.unread(1), store.readings.warnings(1)]
  put(store, { 0: {} }, ['m.json is missing'])
  store.readings.setSources(1, '[]', nothingKept)
  expect(state()).toEqual([[], [{ warning: 'm.json is missing', groups: 1, first: 0, line: 3 }]])
  store.readings.setSources(1, '["m.json"]', nothingKept)
  expect(state()).toEqual([[execution(0)], []])
  put(store, { 0: {} }, ['m.json is missing'])
  store.runs.delete(1)
  expect(store.readings.warnings(1)).toEqual([])
})
