import { expect, test } from 'vitest'
import { seriesOf } from '../../../src/domain/results/metrics.js'

test('the range of a series is that of its numbers, with the first steps that have them', () => {
  const series = seriesOf({ values: [2, Number.NaN, 1, 2, 1], steps: [10, 20, 30, 40, 50] })
  expect(series).toEqual({ last: 1, min: 1, max: 2, minStep: 30, maxStep: 10, count: 5 })
  const none = { last: Number.NaN, min: Number.NaN, minStep: null, count: 1 }
  expect(seriesOf({ values: [Number.NaN], steps: [1] })).toMatchObject(none)
})
