import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Points } from '../../../src/domain/results/metrics.js'
import { seriesSteps } from '../../../src/domain/results/series-rows.js'
import { testAny } from '../../cases.js'

const series = (values: number[], steps: (number | null)[], counter: string | null = 'epoch'): Points => ({
  ...{ values, steps, counter, rows: null },
})

/** The rows as short texts: `epoch 1: acc=0.5 loss=2`. */
function texts(points: Record<string, Points>): string[] {
  return seriesSteps(new Map(Object.entries(points))).map(({ step, counter, cells }) =>
    [`${counter} ${step}:`, ...Object.entries(cells).map(([name, value]) => `${name}=${value}`)].join(' '),
  )
}

describe('series side by side', () => {
  test('have a row a step, in the order of the steps, also where one has no value', () => {
    expect(texts({ loss: series([3, 1], [0, 10]), acc: series([0.5, 0.7, 0.9], [0, 5, 10]) })).toEqual([
      'epoch 0: loss=3 acc=0.5',
      'epoch 5: acc=0.7',
      'epoch 10: loss=1 acc=0.9',
    ])
  })

  test('have several rows for a step that is there several times, as after a restart', () => {
    expect(texts({ loss: series([3, 2, 2.5, 1], [1, 2, 2, 3]), acc: series([0, 1, 2, 3], [1, 2, 2, 3]) })).toEqual([
      'epoch 1: loss=3 acc=0',
      'epoch 2: loss=2 acc=1',
      'epoch 2: loss=2.5 acc=2',
      'epoch 3: loss=1 acc=3',
    ])
  })

  test('keep together what a restart has left in one row, also in a column that the first start lacks', () => {
    const both = series([3, 2, 2.5, 1], [1, 2, 1, 2])
    const later = { ...series([0.5, 0.7], [1, 2]), rows: [2, 3] }
    expect(texts({ loss: both, acc: later })).toEqual([
      'epoch 1: loss=3',
      'epoch 1: loss=2.5 acc=0.5',
      'epoch 2: loss=2',
      'epoch 2: loss=1 acc=0.7',
    ])
  })

  test('put values of two rows at one step beside each other, if they are of different columns', () => {
    const [train, val] = [
      { ...series([3, 1], [1, 2]), rows: [0, 2] },
      { ...series([4, 5], [1, 2]), rows: [1, 3] },
    ]
    expect(texts({ train, val })).toEqual(['epoch 1: train=3 val=4', 'epoch 2: train=1 val=5'])
  })

  test('are not mixed if something else counts them, or nothing', () => {
    const points = { loss: series([3], [1]), rate: series([0.1], [1], 'step'), gap: series([7, 8], [null, 1]) }
    expect(texts(points)).toEqual(['epoch 1: loss=3 gap=8', 'step 1: rate=0.1', 'epoch null: gap=7'])
  })

  const pairs = fc.array(fc.tuple(fc.double(), fc.option(fc.nat(5))), { maxLength: 12 })
  const points = fc.tuple(pairs, fc.constantFrom('epoch', 'step', null)).map(([some, counter]) => {
    return { values: some.map(([value]) => value), steps: some.map(([, at]) => at), counter, rows: null }
  })
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'toString', '__proto__'), points)
  testAny([named])('lose no value, whatever they are', all => {
    const found = seriesSteps(new Map(Object.entries(all)))
    const cells = found.flatMap(row => Object.entries(row.cells).map(([name, value]) => [name, row.step, value]))
    const given = Object.entries(all).flatMap(([name, { values, steps }]) =>
      values.map((value, at) => [name, steps[at], value]),
    )
    const sorted = (list: unknown[][]) => list.map(each => JSON.stringify(each.map(String))).sort()
    expect(sorted(cells)).toEqual(sorted(given))
  })
})

test('as many series as there may be are put side by side', () => {
  const one = { values: [1], steps: [0], counter: 'step', rows: null }
  const points = new Map(Array.from({ length: 200_000 }, (_, at) => [`${at}`, one]))
  expect(seriesSteps(points)).toHaveLength(1)
})
