import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew, isOver, runStatus } from '../../src/domain/runs/aggregate.js'
import type { Launch } from '../../src/domain/runs/launch.js'
import { type GroupReport, type GroupStatus, groupStates } from '../../src/domain/runs/run.js'
import { cases } from '../cases.js'
import { anyStatus, anyText, attemptOf, experimentCalled, launchOf, newStore, openStore, runOf } from './stores.js'

const end = { started: 5, finished: 9, host: 'n1', jobId: null }
const finished: GroupStatus = { state: 'finished', exitCode: 0, ...end }

/** A store with an experiment `it` that has a run 1 of so many groups. */
function storeWithRun(groupCount: number) {
  const { store, path } = newStore()
  store.experiments.insert(experimentCalled('it'))
  store.runs.insert(1, runOf('it', groupCount), launchOf('it', 'token'))
  return { store, path }
}

describe('a run', () => {
  test('of an experiment that was deleted in the meantime is refused with its name, and the database is not blamed', () => {
    const { store } = newStore()
    const insert = () => store.transaction(() => store.runs.insert(1, runOf('it', 3), launchOf('it', 'token')))
    expect(insert).toThrow('the experiment it was deleted in the meantime')
    expect([store.runs.list(), store.runs.places()]).toEqual([[], []])
  })

  test('is read as it was launched, even by another process', () => {
    const { store, path } = newStore()
    store.experiments.insert(experimentCalled('it'))
    const facts = runOf('it', 3, {
      runner: 'slurm',
      runnerParameters: {
        submitTemplate: 'two_cpus',
        resolved: { '--cpus-per-task': 2, env: { A: "it's" } },
        slots: 7,
        container: { image: '/x.sif', kind: 'apptainer', gpu: true, digest: 'sha256:c0ffee' },
      },
      dirty: true,
      codeChanged: false,
      frozen: '.qanat/cache/c0ffee',
      description: 'two\nlines',
      tags: ['a b', "it's", ''],
      host: 'n1',
    })
    const launch: Launch = launchOf('it', 'token', {
      grid: { fixed: { positional: { '0': 'x' }, args: ['--a', "'\n"] }, groups: [{ args: ['-é'] }], axes: [] },
      experiment: experimentCalled('it', { tags: ['then'] }),
      datasetPaths: ['/data/my iris'],
      tree: 'beef',
      uncountedFiles: ['grid.yaml'],
      attempts: [
        attemptOf(1, {
          launcher: { pid: 12 },
          complete: true,
          submissions: [{ first: 0, count: 2, id: '36', data: { a: 1 } }],
        }),
        attemptOf(3, { groups: [1], submitTemplate: 'big', resolved: { '--mem': '4G' }, cancelled: 7 }),
      ],
    })
    store.runs.insert(1, facts, launch)
    const { groupCount, ...stored } = facts
    const later = openStore(path)
    expect(later.runs.find(1)).toEqual({
      ...stored,
      id: 1,
      status: 'pending',
      counts: countsOfNew(groupCount),
      awaiting: 0,
      started: null,
      finished: null,
      progress: null,
      asOf: facts.launched,
    })
    expect(later.runs.launch(1)).toEqual(launch)
    const { token, attempts } = launch
    expect(later.runs.submission(1)).toEqual({ token, attempts })
    expect(later.runs.groups(1)).toEqual([])
    expect(later.runs.find(2)).toBeNull()
  })

  test.each([null, true, false])('remembers whether its code changed: %j', codeChanged => {
    const { store } = storeWithRun(1)
    store.runs.setCodeChanged(1, codeChanged)
    store.runs.setHost(1, 'n2')
    expect(store.runs.find(1)).toMatchObject({ codeChanged, host: 'n2' })
  })

  test('is listed with its experiment, the newest first, and with the live runs', () => {
    const { store } = newStore()
    for (const name of ['it', 'that']) store.experiments.insert(experimentCalled(name))
    for (const id of [1, 2, 3, 4]) {
      const name = id === 2 ? 'that' : 'it'
      store.runs.insert(id, runOf(name, 1), launchOf(name, `token ${id}`))
    }
    store.runs.update(3, [{ index: 0, status: finished }], 100, 9)
    const ids = (runs: readonly { id: number }[]) => runs.map(({ id }) => id)
    expect(ids(store.runs.listOf('it'))).toEqual([4, 3, 1])
    expect(ids(store.runs.listOf('that'))).toEqual([2])
    expect(ids(store.runs.live())).toEqual([1, 2, 4])
    expect(store.runs.countByStatus()).toEqual({ pending: 3, finished: 1 })
  })

  test('that has ended is looked at for a while if its runner may requeue it, or if a group of it was lost', () => {
    const { store } = newStore()
    store.experiments.insert(experimentCalled('it'))
    const lost: GroupStatus = { state: 'lost', cause: 'vanished', ...end, finished: null }
    const ends: [runner: string, status: GroupStatus][] = [
      ['local', finished],
      ['slurm', finished],
      ['local', lost],
    ]
    for (const [at, [runner, status]] of ends.entries()) {
      store.runs.insert(at + 1, runOf('it', 1, { runner }), launchOf('it', `token ${at}`))
      store.runs.update(at + 1, [{ index: 0, status }], 100, 9)
    }
    const ids = (since: number) => store.runs.live(since, runner => runner === 'slurm').map(({ id }) => id)
    expect([ids(4), ids(8), ids(9)]).toEqual([[2, 3], [2], []])
  })

  test('cannot belong to a missing experiment, nor have the token of another run', () => {
    const { store } = storeWithRun(1)
    expect(() => store.transaction(() => store.runs.insert(2, runOf('no', 1), launchOf('no', 'other')))).toThrow()
    expect(() => store.transaction(() => store.runs.insert(3, runOf('it', 1), launchOf('it', 'token')))).toThrow()
    expect(store.runs.listOf('it').map(({ id }) => id)).toEqual([1])
  })
})

describe('the groups of a run', () => {
  test('are read as they were stored', () => {
    fc.assert(
      fc.property(fc.array(anyStatus, { minLength: 1, maxLength: 30 }), statuses => {
        const { store, path } = storeWithRun(statuses.length)
        const reports = statuses.map((status, index) => ({ index, status }))
        store.runs.update(1, reports.toReversed(), null, 1)
        const later = openStore(path)
        expect(later.runs.groups(1)).toEqual(reports)
        for (const state of groupStates) {
          const inState = reports.filter(({ status }) => status.state === state)
          expect(later.runs.groupsIn(1, state, 100)).toEqual(inState)
          expect(later.runs.groupsIn(1, state, 2)).toEqual(inState.slice(0, 2))
        }
      }),
      { numRuns: cases(30) },
    )
  })

  test('keep what they have used, as far as it is known', () => {
    const { store } = storeWithRun(3)
    const reports = [
      { peakMemory: 2 ** 40, cpuTime: 0.25 },
      { peakMemory: null, cpuTime: 0 },
    ].map((used, index) => ({
      index,
      status: { ...finished, used },
    }))
    store.runs.update(1, [...reports, { index: 2, status: finished }], null, 1)
    expect(store.runs.groups(1)).toEqual([...reports, { index: 2, status: finished }])
    expect(store.readings.ended(1, 0, 3).usage).toMatchObject({
      peakMemory: [2 ** 40, null, null],
      cpuTimes: [0.25, 0, null],
    })
  })

  test('keep every digit of the time that they have used', () => {
    const { store } = storeWithRun(1)
    const seconds = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true })
    fc.assert(
      fc.property(seconds, cpuTime => {
        store.runs.update(1, [{ index: 0, status: { ...finished, used: { peakMemory: null, cpuTime } } }], null, 1)
        expect(store.readings.ended(1, 0, 1).usage?.cpuTimes).toEqual([cpuTime])
      }),
    )
  })

  test('give the run its totals, its status and its times, whatever the order of the updates', () => {
    const report = fc.record({ index: fc.nat({ max: 11 }), status: anyStatus })
    const update = fc.record({
      changed: fc.array(report, { maxLength: 8 }),
      progress: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
      asOf: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(update, { minLength: 1, maxLength: 8 }), updates => {
        const { store } = storeWithRun(12)
        const known = new Map<number, GroupStatus>()
        for (const { changed, progress, asOf } of updates) {
          store.runs.update(1, changed, progress, asOf)
          for (const { index, status } of changed) known.set(index, status)
          expect(store.runs.find(1)).toMatchObject({ ...totalsOf(known, 12), progress, asOf })
        }
      }),
      { numRuns: cases(60) },
    )
  })

  test('that all start again leave the run its first start', () => {
    const { store } = storeWithRun(2)
    const update = (started: number) =>
      store.runs.update(
        1,
        [0, 1].map(index => ({ index, status: { ...finished, started: started + index, finished: started + 9 } })),
        null,
        0,
      )
    update(500)
    // The queue may know a start that the journal corrects.
    update(501)
    expect(store.runs.get(1)).toMatchObject({ started: 501, finished: 510 })
    store.attempts.put(1, attemptOf(2, { groups: [0, 1] }))
    update(9000)
    expect(store.runs.get(1)).toMatchObject({ started: 501, finished: 9009 })
    const { path } = newStore()
    const later = openStore(path)
    later.experiments.insert(experimentCalled('it'))
    later.runs.insert(
      1,
      runOf('it', 2, { started: 501 }),
      launchOf('it', 'token', { attempts: [attemptOf(1), attemptOf(2)] }),
    )
    expect(later.runs.get(1).started).toBe(501)
  })

  test('tell how long they take: those that ran to an end of their own, and those that run', () => {
    const { store } = storeWithRun(9)
    const status = (state: object) => state as GroupStatus
    const statuses: GroupStatus[] = [
      finished,
      { ...finished, started: 10, finished: 30 },
      status({ state: 'failed', cause: 'exit', exitCode: 1, signal: null, ...end }),
      // A clock that was set back.
      { ...finished, started: 9, finished: 5 },
      status({ state: 'cancelled', ...end }),
      status({ state: 'failed', cause: 'launch', exitCode: 1, signal: null, ...end, started: null }),
      { state: 'running', started: 100, host: null, jobId: null },
      { state: 'running', started: 120, host: null, jobId: null },
    ]
    expect(store.runs.pace(1)).toEqual({ ended: 0, took: 0, running: 0, starts: 0 })
    store.runs.update(
      1,
      statuses.map((each, index) => ({ index, status: each })),
      null,
      0,
    )
    expect(store.runs.pace(1)).toEqual({ ended: 4, took: 28, running: 2, starts: 220 })
  })

  test('are judged anew once one of them was changed, and how far files were read is kept', () => {
    const { store } = storeWithRun(3)
    store.refreshes.setCursor(1, '{"news":{"modified":5},"judged":{"digest":"c0ffee","at":1,"until":9}}')
    store.runs.touch(1, 0, 7)
    expect(store.refreshes.readCursor(store.refreshes.cursor(1))).toHaveProperty('judged.digest', 'c0ffee')
    store.runs.update(1, [{ index: 0, status: finished }], 33, 8)
    expect(store.refreshes.readCursor(store.refreshes.cursor(1))).toEqual({ news: { modified: 5 } })
  })

  test('of one run do not count for another run', () => {
    const { store } = storeWithRun(2)
    store.runs.insert(2, runOf('it', 2), launchOf('it', 'other'))
    store.runs.update(1, [{ index: 0, status: finished }], 50, 9)
    expect(store.runs.find(1)!.counts).toEqual({ ...countsOfNew(1), finished: 1 })
    expect(store.runs.find(2)!.counts).toEqual(countsOfNew(2))
    store.runs.delete(1)
    expect([store.runs.find(1), store.runs.groups(1)]).toEqual([null, []])
    expect(store.runs.find(2)!.counts).toEqual(countsOfNew(2))
  })
})

/** What a run of `total` groups has to say when these are known. */
function totalsOf(known: ReadonlyMap<number, GroupStatus>, total: number) {
  const counts = { ...countsOfNew(total) }
  const [starts, ends]: [number[], number[]] = [[], []]
  for (const status of known.values()) {
    counts.pending--
    counts[status.state]++
    const started = 'started' in status ? status.started : null
    const last = 'finished' in status ? (status.finished ?? started) : started
    if (started !== null) starts.push(started)
    if (last !== null) ends.push(last)
  }
  const over = isOver(counts) && ends.length > 0
  return {
    counts,
    status: runStatus(counts),
    started: starts.length > 0 ? Math.min(...starts) : null,
    finished: over ? Math.max(...ends) : null,
  }
}

describe('the ids of runs', () => {
  test('are none before the first run', () => {
    expect(newStore().store.runs.lastId()).toBe(0)
  })

  test('are never used again, whatever is deleted and whatever fails', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), skip: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
      fc.record({ kind: fc.constant('fail' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), steps => {
        const { store, path } = newStore()
        store.experiments.insert(experimentCalled('it'))
        const used: number[] = []
        let live: number[] = []
        const insert = (id: number) => store.runs.insert(id, runOf('it', 1), launchOf('it', `token ${id}`))
        for (const each of steps) {
          const next = store.runs.lastId() + 1
          if (each.kind === 'insert') {
            const id = next + each.skip
            store.transaction(() => insert(id))
            expect(used).not.toContain(id)
            used.push(id)
            live.push(id)
          } else if (each.kind === 'delete' && live.length > 0) {
            const id = live[each.which % live.length]!
            store.runs.delete(id)
            live = live.filter(other => other !== id)
          } else if (each.kind === 'fail') {
            expect(() =>
              store.transaction(() => {
                insert(next)
                throw new Error('no space')
              }),
            ).toThrow('no space')
          }
          expect(openStore(path).runs.lastId()).toBe(Math.max(0, ...used))
        }
        expect(store.runs.listOf('it').map(({ id }) => id)).toEqual(live.toSorted((a, b) => b - a))
      }),
      { numRuns: cases(25) },
    )
  })
})

test('reports with any text and time can be stored as groups of a run', () => {
  const report = fc.record({ host: anyText, jobId: anyText, started: fc.maxSafeNat() })
  fc.assert(
    fc.property(report, facts => {
      const { store } = storeWithRun(1)
      const reports: GroupReport[] = [{ index: 0, status: { state: 'running', ...facts } }]
      store.runs.update(1, reports, null, 1)
      expect(store.runs.groups(1)).toEqual(reports)
    }),
    { numRuns: cases(20) },
  )
})
