import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapInterval, randomBits } from '../../../src/domain/results/bootstrap.js'
import { cases, testAny } from '../../cases.js'

/** What scipy says; see README.md beside the files. */
const read = (name: string) => JSON.parse(readFileSync(`test/fixtures/statistics/${name}.json`, 'utf8')).lists
const lists: { values: number[] }[] = read('statistics')
const ends: { low: [number, number]; high: [number, number] }[] = read('bootstrap')

describe('a bootstrap interval', () => {
  const expected = lists.map(({ values }, at) => ({ values, ...ends[at]! }))
  test.each(expected)('is that of scipy, as far as random numbers allow: $low to $high', ({ values, low, high }) => {
    // For the rounding of sums.
    const slack = 1e-15 * Math.max(...values.map(Math.abs))
    for (const seed of [0, 1, 2 ** 32 - 1]) {
      for (const [at, end] of bootstrapInterval(values, seed)!.entries()) {
        const [least, most] = [low, high][at]!
        expect(end).toBeGreaterThanOrEqual(least - slack)
        expect(end).toBeLessThanOrEqual(most + slack)
      }
    }
  })

  test('is the same each time and on any machine, and another one with another seed', () => {
    const values = lists.at(-1)!.values
    expect(bootstrapInterval(values, 0)).toEqual([7.356028927865678e-7, 0.0000011735504314267119])
    expect(bootstrapInterval(values, 1)).not.toEqual(bootstrapInterval(values, 0))
  })

  test('of very large values is that of smaller ones, as many times as large', () => {
    const values = [1, 1.2, -1.5, 0.3]
    const [low, high] = bootstrapInterval(values, 0)!
    const times = values.map(value => value * 2 ** 1023)
    expect(bootstrapInterval(times, 0)).toEqual([low * 2 ** 1023, high * 2 ** 1023])
  })

  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  const shuffled = fc
    .array(value, { minLength: 2, maxLength: 8 })
    .chain(values => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })))
  testAny([shuffled, fc.integer({ min: 0, max: 2 ** 32 - 1 })], { numRuns: cases(30) })(
    'does not depend on the order of the values',
    ([values, others], seed) => {
      const [low, high] = bootstrapInterval(values, seed)!
      expect(bootstrapInterval(others, seed)).toEqual([low, high])
      expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9)
      expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
    },
  )

  test.each([
    ['one value', [0.5], null],
    ['a value that is NaN', [1, Number.NaN], [Number.NaN, Number.NaN]],
    ['an infinite value', [1, Number.POSITIVE_INFINITY], [Number.NaN, Number.NaN]],
  ])('of %s is none', (_, values, interval) => {
    expect(bootstrapInterval(values, 0)).toEqual(interval)
  })
})

test.each([
  [0, [1789933344, 44971166, 2521387044, 3848737593, 1138324114, 749234105]],
  [1, [393288148, 2174103013, 3814759091, 2092745082, 1865176206, 2179171167]],
  [2 ** 32 - 1, [4104197751, 1825856343, 1152209388, 2427537429, 3685145430, 609215610]],
])('the random numbers of seed %i are those of the published xoshiro128** and splitmix32', (seed, numbers) => {
  const next = randomBits(seed)
  expect(numbers.map(() => next())).toEqual(numbers)
})
