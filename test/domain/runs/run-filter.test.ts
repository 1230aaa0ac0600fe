import { describe, expect, test } from 'vitest'
import type { ListedRun } from '../../../src/domain/results/best.js'
import { countsOfNew } from '../../../src/domain/runs/aggregate.js'
import { asAsked } from '../../../src/domain/runs/run.js'
import { fits, meetsConditions, readFilter, refuseUnknownMetrics, sorted } from '../../../src/domain/runs/run-filter.js'

const now = Date.UTC(2026, 10, 21, 12)
const day = 86_400_000

function runWith(facts: Partial<ListedRun>): ListedRun {
  return {
    ...{
      id: 1,
      experiment: 'it',
      status: 'finished',
      counts: countsOfNew(1),
      awaiting: 0,
      site: 'here',
      runner: 'local',
    },
    dealing: asAsked,
    runnerParameters: { submitTemplate: null, resolved: {}, slots: 1, container: null },
    ...{
      commit: 'c0ffee',
      dirty: false,
      codeUsed: null,
      codeChanged: null,
      frozen: null,
      rerunOf: null,
      fillOf: null,
      retired: null,
      host: null,
    },
    ...{ storagePath: 'results/it/run_1', description: '', tags: [], launched: now, started: now, finished: now },
    ...{ progress: 100, asOf: now, best: [] },
    ...facts,
  }
}

const best = (metric: string, value: number) => [{ metric, value, group: 0 }]

const noGrid = () => {
  throw new Error('nobody asked for parameters')
}
const wanted = (given: Parameters<typeof readFilter>[0], facts: Partial<ListedRun>) =>
  fits(runWith(facts), readFilter(given, now), noGrid, run => run.description) &&
  meetsConditions(runWith(facts), readFilter(given, now))

describe('a list of runs', () => {
  test.each([
    [{ tag: ['a', 'b'] }, { tags: ['b', 'a', 'c'] }, true],
    [{ tag: ['a', 'b'] }, { tags: ['a'] }, false],
    [{ status: ['failed,lost'] }, { status: 'lost' as const }, true],
    [{ status: ['failed', 'lost'] }, { status: 'finished' as const }, false],
    [{ commit: 'c0ff' }, {}, true],
    [{ commit: '0ffee' }, {}, false],
    [{ since: '3d' }, { launched: now - 2 * day }, true],
    [{ since: '3d' }, { launched: now - 4 * day }, false],
    [{ since: '90m' }, { launched: now - 3_600_000 }, true],
    [{ since: '2026-11-20' }, { launched: now }, true],
    [{ since: '2026-11-23' }, { launched: now }, false],
    [{ since: '2026-11-21T12:01Z' }, { launched: now }, false],
    [{}, {}, true],
    [{ search: ['Paper first'] }, { description: 'The first for the paper' }, true],
    [{ search: ['paper', 'second'] }, { description: 'The first for the paper' }, false],
    [{ where: ['acc > 0.9'] }, { best: best('acc', 0.95) }, true],
    [{ where: ['acc>=.9', 'acc <1'] }, { best: best('acc', 0.9) }, true],
    [{ where: ['val/acc top-1 = 1e-3'] }, { best: best('val/acc top-1', 0.001) }, true],
    [{ where: ['loss < inf'] }, { best: best('loss', Number.POSITIVE_INFINITY) }, false],
    [{ where: ['acc > 0.9'] }, { best: best('loss', 1) }, false],
    [{ where: ['acc > 0.9'] }, { best: null }, false],
  ])('that is filtered by %j has %j: %s', (given, facts, isThere) => {
    expect(wanted(given, facts)).toBe(isThere)
  })

  test.each([
    { status: ['sad'] },
    ...['yesterday', '3y', '3', 'nov 27', '2026-02-31'].map(since => ({ since })),
    ...['acc', 'acc 0.9', 'acc > high', '> 0.9', 'acc >> 1', 'acc > 1 2'].map(text => ({ where: [text] })),
  ])('refuses %j', given => {
    expect(() => readFilter(given, now)).toThrow(/unknown status|not a time|not a condition/)
  })

  test('is sorted by a column, in either order, the newest first among equals', () => {
    const runs = [runWith({ id: 1, launched: 5 }), runWith({ id: 2, launched: 3 }), runWith({ id: 3, launched: 5 })]
    expect(sorted(runs, 'launched').map(({ id }) => id)).toEqual([2, 3, 1])
    expect(sorted(runs, '-launched').map(({ id }) => id)).toEqual([3, 1, 2])
  })

  test('is sorted by a best metric, and runs without it come last in both orders', () => {
    const infinite = Number.POSITIVE_INFINITY
    const values = [0.5, null, infinite, -1, infinite]
    const runs = values.map((value, id) => runWith({ id, best: value === null ? null : best('acc', value) }))
    expect(sorted(runs, 'acc').map(({ id }) => id)).toEqual([3, 0, 4, 2, 1])
    expect(sorted(runs, '-acc').map(({ id }) => id)).toEqual([4, 2, 0, 3, 1])
  })

  test('cannot be filtered or sorted by what no experiment declares', () => {
    const refuse = (where: string[], sort?: string) => refuseUnknownMetrics(readFilter({ where }, now), sort, ['acc'])
    refuse(['acc > 1'], '-acc')
    refuse([], '-launched')
    expect(() => refuse(['loss > 1'])).toThrow('--where loss > 1: no experiment says when loss is best')
    expect(() => refuse([], '-beauty')).toThrow('--sort -beauty: runs cannot be sorted by it')
  })
})
