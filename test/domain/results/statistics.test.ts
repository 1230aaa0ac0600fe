import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confidenceInterval, summarize, tQuantile } from '../../../src/domain/results/statistics.js'
import { testAny } from '../../cases.js'

/** What numpy and scipy say; see README.md beside the file. */
const { lists, quantiles } = JSON.parse(readFileSync('test/fixtures/statistics/statistics.json', 'utf8')) as {
  lists: { values: number[]; mean: number; sd: number; interval: [number, number] }[]
  quantiles: { part: number; freedom: number; t: number }[]
}

function expectClose(actual: number, expected: number, relative: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(relative * Math.abs(expected))
}

describe('a summary', () => {
  test.each(lists)('has the mean, the deviation and the interval of numpy and scipy: $mean', expected => {
    const summary = summarize(expected.values)
    expectClose(summary.mean, expected.mean, 1e-15)
    expectClose(summary.sd!, expected.sd, 1e-14)
    const slack = 1e-9 * Math.max(expected.sd, Math.abs(expected.mean))
    for (const [at, end] of confidenceInterval(summary)!.entries())
      expect(Math.abs(end - expected.interval[at]!)).toBeLessThanOrEqual(slack)
  })

  test('of one value has no deviation and no interval', () => {
    expect(summarize([0.5])).toEqual({ mean: 0.5, sd: null, count: 1, min: 0.5, max: 0.5 })
    expect(confidenceInterval(summarize([0.5]))).toBeNull()
  })

  test.each([
    ['NaN', [1, Number.NaN, 2], Number.NaN, Number.NaN],
    ['an infinity', [1, Number.POSITIVE_INFINITY], Number.POSITIVE_INFINITY, Number.NaN],
  ])('with %s says so', (_, values, mean, sd) => {
    expect(summarize(values)).toMatchObject({ mean, sd, count: values.length })
  })

  const largest = Number.MAX_VALUE
  test.each([
    [[1e308, 1.2e308], 1.1e308, 1.414213562373095e307],
    [[1e308, -1e308, 0], 0, 1e308],
    [[1.5e308, 1.5e308, 1.5e308], 1.5e308, 0],
    [[largest, largest, largest], largest, 0],
    [[1e308, -1e308, 3], 1, 1e308],
    [[largest, -largest], 0, Number.POSITIVE_INFINITY],
    [Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? 1e308 : 1.5e308)), 1.25e308, 2.500012500093751e307],
  ])('of values whose sum no double holds has their mean and deviation', (values, mean, sd) => {
    const summary = summarize(values)
    expectClose(summary.mean, mean, 1e-15)
    if (Number.isFinite(sd)) expectClose(summary.sd!, sd, 1e-14)
    else expect(summary.sd).toBe(sd)
  })

  // The interval of -0 ends in 0, which is equal to it.
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0)
  const value = fc.oneof(double, fc.constantFrom(1.79e308, 0.885, 1e300))
  const count = fc.integer({ min: 2, max: 50 })
  testAny([value, count])('of equal values is that value, without a deviation', (each, length) => {
    const summary = summarize(new Array(length).fill(each))
    expect(summary).toEqual({ mean: each, sd: 0, count: length, min: each, max: each })
    expect(confidenceInterval(summary)).toEqual([each, each])
  })

  test('has an interval wherever a double holds its ends', () => {
    const [low, high] = confidenceInterval({ mean: 0, sd: 1e308, count: 10_000, min: -1e308, max: 1e308 })!
    expectClose(high, 1.9602012636e306, 1e-9)
    expect(low).toBe(-high)
    const ofTwo = confidenceInterval({ mean: 0, sd: 1.6e307, count: 2, min: -1e307, max: 1e307 })!
    expectClose(ofTwo[1], (12.706204736 * 1.6e307) / Math.SQRT2, 1e-9)
  })

  // Of 0 and -0, which are equal, the first one is the least.
  const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(value => value + 0)
  const list = fc.array(finite, { minLength: 2, maxLength: 30 })
  testAny([list, finite])('does not depend on the order, and moves with its values', (values, shift) => {
    const { mean, sd, ...exact } = summarize(values)
    const close = { mean: expect.closeTo(mean, 6), sd: expect.closeTo(sd!, 6) }
    expect(summarize(values.toReversed())).toEqual({ ...exact, ...close })
    const moved = summarize(values.map(each => each + shift))
    expect(moved).toMatchObject({ mean: expect.closeTo(mean + shift, 6), sd: close.sd })
    expect(exact.min).toBeLessThanOrEqual(mean + 1e-9)
    expect(exact.max).toBeGreaterThanOrEqual(mean - 1e-9)
  })
})

test.each(quantiles)("Student's t is that of scipy: $part with $freedom degrees of freedom", ({ part, freedom, t }) => {
  expectClose(tQuantile(part, freedom), t, 1e-9)
})
