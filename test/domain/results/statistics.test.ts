import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confidenceInterval, summarize, tQuantile } from '../../../src/domain/results/statistics.js'

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
    for (const [at, end] of confidenceInterval(summary)!.entries()) {
      expect(Math.abs(end - expected.interval[at]!)).toBeLessThanOrEqual(
        1e-9 * Math.max(expected.sd, Math.abs(expected.mean)),
      )
    }
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

  test('does not depend on the order, and moves with its values', () => {
    // Of 0 and -0, which are equal, the first one is the least.
    const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(value => value + 0)
    fc.assert(
      fc.property(fc.array(finite, { minLength: 2, maxLength: 30 }), finite, (values, shift) => {
        const summary = summarize(values)
        expect(summarize(values.toReversed())).toEqual({
          ...summary,
          mean: expect.closeTo(summary.mean, 6),
          sd: expect.closeTo(summary.sd!, 6),
        })
        const moved = summarize(values.map(value => value + shift))
        expect(moved.mean).toBeCloseTo(summary.mean + shift, 6)
        expect(moved.sd).toBeCloseTo(summary.sd!, 6)
        expect(summary.min).toBeLessThanOrEqual(summary.mean + 1e-9)
        expect(summary.max).toBeGreaterThanOrEqual(summary.mean - 1e-9)
      }),
    )
  })
})

test.each(quantiles)(
  "Student's t at $part with $freedom degrees of freedom is that of scipy",
  ({ part, freedom, t }) => {
    expectClose(tQuantile(part, freedom), t, 1e-9)
  },
)
