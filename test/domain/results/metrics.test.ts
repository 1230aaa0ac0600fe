import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Metrics, metricsText, parseMetrics, seriesOf } from '../../../src/domain/results/metrics.js'

const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0))
const series = fc
  .array(number, { minLength: 1, maxLength: 5 })
  .map(values => seriesOf({ values, steps: [...values.keys()] }))
const text = fc.string({ unit: 'binary' }).filter(each => !/^(NaN|-?Infinity)$/.test(each))
const metrics: fc.Arbitrary<Metrics> = fc.dictionary(text, fc.oneof(number, series, text, fc.boolean()))

test('metrics are stored as text and read again as they were, alone or many at once', () => {
  fc.assert(
    fc.property(fc.array(metrics), all => {
      const read = parseMetrics(`[${all.map(metricsText).join()}]`) as Metrics[]
      // JSON has no negative zero.
      const zero = (each: unknown) =>
        JSON.stringify(each, (_, value) => (typeof value === 'number' ? String(value) : value))
      expect(read.map(zero)).toEqual(all.map(zero))
    }),
  )
})

test('the range of a series is that of its numbers, with the first steps that have them', () => {
  expect(seriesOf({ values: [2, Number.NaN, 1, 2, 1], steps: [10, 20, 30, 40, 50] })).toEqual({
    last: 1,
    min: 1,
    max: 2,
    minStep: 30,
    maxStep: 10,
    count: 5,
  })
  expect(seriesOf({ values: [Number.NaN], steps: [1] })).toMatchObject({
    last: Number.NaN,
    min: Number.NaN,
    minStep: null,
    count: 1,
  })
})
