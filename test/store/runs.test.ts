import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew, isOver, runStatus } from '../../src/domain/runs/aggregate.js'
import type { Launch } from '../../src/domain/runs/launch.js'
import { asAsked, type GroupStatus, groupStates } from '../../src/domain/runs/run.js'
import { cases, testAny } from '../cases.js'
import {
  addRun,
  anyStatus,
  attemptOf,
  end,
  experimentCalled,
  finished,
  launchOf,
  newStore,
  openStore,
  reportsOf,
  runOf,
  storeWithRun,
} from './stores.js'

const idsOf = (runs: readonly { id: number }[]) => runs.map(({ id }) => id)

describe('a run', () => {
  test('of a missing experiment, or with the token of another run, is refused, and the database is not blamed', () => {
    const { store } = storeWithRun(1)
    const insert = (id: number, facts: object) => () => store.transaction(() => addRun(store, id, facts))
    expect(insert(2, { experiment: 'that' })).toThrow('the experiment that was deleted in the meantime')
    const again = () => store.transaction(() => store.runs.insert(3, runOf('it', 1), launchOf('it', 'token 1')))
    expect(again).toThrow()
    expect([idsOf(store.runs.list()), store.runs.places()]).toEqual([[1], [expect.anything()]])
  })

  test('is read as it was launched, even by another process', () => {
    const { store, path } = newStore('it')
    const { groupCount, ...facts } = runOf('it', 3, {
      site: 'ada',
      runner: 'slurm',
      runnerParameters: {
        ...{ submitTemplate: 'two_cpus', resolved: { '--cpus-per-task': 2, env: { A: "it's" } }, slots: 7 },
        container: { image: '/x.sif', kind: 'apptainer', gpu: true, digest: 'sha256:c0ffee' },
      },
      ...{ dirty: true, codeChanged: false, frozen: '.qanat/cache/c0ffee', host: 'n1' },
      ...{ description: 'two\nlines', tags: ['a b', "it's", ''] },
    })
    const submissions = [{ first: 0, count: 2, id: '36', data: { a: 1 } }]
    const launch: Launch = launchOf('it', 'token', {
      grid: { fixed: { positional: { '0': 'x' }, args: ['--a', "'\n"] }, groups: [{ args: ['-é'] }], axes: [] },
      experiment: experimentCalled('it', { tags: ['then'] }),
      ...{ datasetPaths: ['/data/my iris'], tree: 'beef', uncountedFiles: ['grid.yaml'] },
      attempts: [
        attemptOf(1, { launcher: { pid: 12 }, complete: true, submissions }),
        attemptOf(3, { groups: [1], submitTemplate: 'big', resolved: { '--mem': '4G' }, cancelled: 7 }),
      ],
    })
    store.runs.insert(1, { ...facts, groupCount }, launch)
    const later = openStore(path)
    const fresh = {
      status: 'pending',
      counts: countsOfNew(groupCount),
      awaiting: 0,
      progress: null,
      asOf: 1000,
      dealing: asAsked,
    }
    expect(later.runs.find(1)).toEqual({ id: 1, ...facts, ...fresh, started: null, finished: null })
    expect(later.runs.launch(1)).toEqual(launch)
    expect(later.runs.submission(1)).toEqual({ token: 'token', attempts: launch.attempts })
    expect([later.runs.groups(1), later.runs.find(2)]).toEqual([[], null])
    for (const codeChanged of [true, false, null]) {
      store.runs.setCodeChanged(1, codeChanged)
      store.runs.setHost(1, 'n2')
      expect(later.runs.find(1)).toMatchObject({ codeChanged, host: 'n2' })
    }
  })

  test('is listed with its experiment, the newest first, and with the live runs', () => {
    const { store } = newStore('it', 'that')
    for (const id of [1, 2, 3, 4]) addRun(store, id, { experiment: id === 2 ? 'that' : 'it' })
    store.runs.update(3, [{ index: 0, status: finished }], 100, 9)
    expect(['it', 'that'].map(name => idsOf(store.runs.listOf(name)))).toEqual([[4, 3, 1], [2]])
    expect(idsOf(store.runs.live())).toEqual([1, 2, 4])
    expect(store.runs.countByStatus()).toEqual({ pending: 3, finished: 1 })
  })

  test('that has ended is looked at for a while if its runner may requeue it, or if a group of it was lost', () => {
    const { store } = newStore('it')
    const lost: GroupStatus = { state: 'lost', cause: 'vanished', ...end, finished: null }
    const ends: [string, GroupStatus][] = [
      ['local', finished],
      ['slurm', finished],
      ['local', lost],
    ]
    for (const [at, [runner, status]] of ends.entries()) {
      addRun(store, at + 1, { runner })
      store.runs.update(at + 1, [{ index: 0, status }], 100, 9)
    }
    const ids = (since: number) => idsOf(store.runs.live(since, runner => runner === 'slurm'))
    expect([ids(4), ids(8), ids(9)]).toEqual([[2, 3], [2], []])
  })

  test('has an id that is never used again, whatever is deleted and whatever fails', () => {
    const { store, path } = newStore('it')
    const lastId = () => openStore(path).runs.lastId()
    expect(lastId()).toBe(0)
    for (const id of [1, 4]) addRun(store, id)
    store.runs.delete(4)
    expect(lastId()).toBe(4)
    const failing = () => {
      addRun(store, 7)
      throw new Error('no space')
    }
    expect(() => store.transaction(failing)).toThrow('no space')
    expect([lastId(), idsOf(store.runs.list())]).toEqual([4, [1]])
    store.runs.delete(1)
    expect(lastId()).toBe(4)
  })

  test('has attempts whose numbers are never used again, even that of one that was rolled back', () => {
    const { store } = storeWithRun(1)
    expect(store.attempts.add(1, attemptOf(0))).toBe(2)
    store.attempts.takeBack(1, 2)
    expect(store.attempts.add(1, attemptOf(0))).toBe(3)
    expect(store.runs.launch(1).attempts.map(({ attempt }) => attempt)).toEqual([1, 3])
  })
})

describe('the groups of a run', () => {
  testAny([fc.array(anyStatus, { minLength: 1, maxLength: 30 })], { numRuns: cases(30) })(
    'are read as they were stored',
    statuses => {
      const { store, path } = storeWithRun(statuses.length)
      const reports = reportsOf(statuses)
      store.runs.update(1, reports.toReversed(), null, 1)
      const later = openStore(path)
      expect(later.runs.groups(1)).toEqual(reports)
      for (const state of groupStates) {
        const inState = reports.filter(({ status }) => status.state === state)
        expect(later.runs.groupsIn(1, state, 100)).toEqual(inState)
        expect(later.runs.groupsIn(1, state, 2)).toEqual(inState.slice(0, 2))
      }
    },
  )

  test('keep what they have used, with every digit, as far as it is known', () => {
    const { store } = storeWithRun(2)
    const cpuTime = fc.option(fc.oneof(fc.constant(0), fc.double({ min: Number.MIN_VALUE, noNaN: true })))
    fc.assert(
      fc.property(cpuTime, fc.option(fc.maxSafeNat()), (cpuTime, peakMemory) => {
        const isKnown = peakMemory !== null || cpuTime !== null
        const used = { ...finished, used: { peakMemory, cpuTime } }
        store.transaction(() => store.runs.update(1, reportsOf([used, finished]), null, 1))
        expect(store.runs.groups(1)).toEqual(reportsOf([isKnown ? used : finished, finished]))
        const usage = { peakMemory: [peakMemory, null], cpuTimes: [cpuTime, null] }
        expect(store.readings.ended(1, 0, 2).usage).toMatchObject(usage)
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
          store.transaction(() => store.runs.update(1, changed, progress, asOf))
          for (const { index, status } of changed) known.set(index, status)
          expect(store.runs.find(1)).toMatchObject({ ...totalsOf(known, 12), progress, asOf })
        }
      }),
      { numRuns: cases(60) },
    )
  })

  test('that all start again leave the run its first start', () => {
    const { store } = storeWithRun(2)
    const update = (started: number) => {
      const statuses = [0, 1].map(index => ({ ...finished, started: started + index, finished: started + 9 }))
      store.runs.update(1, reportsOf(statuses), null, 0)
    }
    update(500)
    // The queue may know a start that the journal corrects.
    update(501)
    expect(store.runs.get(1)).toMatchObject({ started: 501, finished: 510 })
    store.attempts.put(1, attemptOf(2, { groups: [0, 1] }))
    update(9000)
    expect(store.runs.get(1)).toMatchObject({ started: 501, finished: 9009 })
    const attempts = [attemptOf(1), attemptOf(2)]
    store.runs.insert(2, runOf('it', 2, { started: 501 }), launchOf('it', 'token', { attempts }))
    expect(store.runs.get(2).started).toBe(501)
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
    addRun(store, 2, { groupCount: 2 })
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
