import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as ranges from '../../../src/domain/parameters/range.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

const { linspace, logspace, looksLikeValues, makeRange, rangeValue } = ranges
const numbersOf = (text: string) => text.split(' ') as [start: string, stop: string, step: string]

function valuesOf(...numbers: [string, string, string]): string[] {
  const range = makeRange(...numbers)
  return Array.from({ length: range.count }, (_, index) => rangeValue(range, index))
}

describe('three numbers', () => {
  test('look like values if they would make a range of one value, but not if the end may have been computed', () => {
    const values = '0 1 2, 0.1 0.2 0.3, 16 32 64, -1 0 1, 1 0 -1, 0 -1 -2, 3 7 5, 5 0 -5'.split(', ')
    const ranges = '0 1 1, 5 6 1, 6 5 -1, 0 10 1, 0 10 10, 0 3 2, 3 2 1, 1 1 1, 0 1 0'.split(', ')
    expect([...values, ...ranges].filter(text => looksLikeValues(...numbersOf(text)))).toEqual(values)
  })

  const number = fc.integer({ min: -1000, max: 1000 })
  testAny([number, number, number])('above 0 in order always look like values', (...numbers) => {
    const [start, stop, step] = numbers
    const looks = looksLikeValues(...numbersOf(numbers.join(' ')))
    if (looks) expect(valuesOf(...numbersOf(numbers.join(' ')))).toHaveLength(1)
    if (0 < start && start < stop && stop < step) expect(looks).toBe(true)
  })
})

describe('a range', () => {
  test.each([
    ['0 3 1', '0 1 2'],
    ['0.1 0.4 0.1', '0.1 0.2 0.3'],
    ['5 0 -2', '5 3 1'],
    ['-1 1 0.5', '-1 -0.5 0 0.5'],
    ['1e-3 3e-3 1e-3', '0.001 0.002'],
    ['0.10 0.2 1', '0.1'],
    ['99999999999999999999 100000000000000000001 1', '99999999999999999999 100000000000000000000'],
    ['7293232176045657 -25307630685527637 -16300431430786647', '7293232176045657 -9007199254740990'],
    ['-0 1 1', '0'],
  ])('%s has the values %s', (range, values) => {
    expect(valuesOf(...numbersOf(range)).join(' ')).toBe(values)
  })

  test.each([
    ['0 10 0.0', 'step is 0'],
    ['1e21 1e21 1', 'nothing lies between 1e21 and 1e21 in steps of 1'],
    ['10 0 1', 'nothing lies between 10 and 0 in steps of 1'],
    ['0  1', "'' is not a number"],
    ['0 0x10 1', "'0x10' is not a number"],
    ['0 1e1000000000 1', '1e1000000000 is out of range'],
  ])('%s is refused: %s', (range, reason) => {
    expect(() => valuesOf(...numbersOf(range))).toThrow(new UserError(reason))
  })

  const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  const stride = digits.filter(step => step !== 0n)
  const overshoot = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  testAny([fc.nat(25), digits, stride, fc.integer({ min: 1, max: 50 }), overshoot])(
    'is exact, whatever the decimals',
    (places, first, step, count, part) => {
      // Anything in (first + (count - 1) × step, first + count × step] stops after `count` values.
      const beyond = (step * BigInt(Math.floor(part * 1000))) / 1000n
      const stop = first + step * BigInt(count) - (beyond === step ? 0n : beyond)
      const range = [first, stop, step].map(value => `${value}e-${places}`) as [string, string, string]
      const values = valuesOf(...range)
      expect(values.map(value => scaled(value, places))).toEqual(values.map((_, index) => first + step * BigInt(index)))
      for (const value of values) expect(value).toMatch(/^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/)
    },
  )
})

/** A decimal text times 10^places, which has to be whole. */
function scaled(text: string, places: number): bigint {
  const [whole, fraction = ''] = text.split('.')
  expect(fraction.length).toBeLessThanOrEqual(places)
  return BigInt(`${whole}${fraction.padEnd(places, '0')}`)
}

describe('evenly spaced values', () => {
  const thirds = `0 0.${'0'.repeat(30)}33333333333333333 0.${'0'.repeat(30)}6666666666666667 0.${'0'.repeat(29)}1`
  test.each([
    [linspace, '0 1 4', '0 0.3333333333333333 0.6666666666666666 1'],
    [linspace, '0 1 11', '0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1'],
    [linspace, '3 -3 3', '3 0 -3'],
    [linspace, '2.50 7 1', '2.5'],
    [linspace, '0 1e-30 4', thirds],
    [logspace, '-3 0 4', '0.001 0.01 0.1 1'],
    [logspace, '0 1 3', '1 3.1622776601683795 10'],
    [logspace, '23 23 1', '100000000000000000000000'],
  ])('%o of %s', (space, given, expected) => {
    expect(space(...numbersOf(given)).join(' ')).toBe(expected)
  })

  test.each([
    [linspace, '0 1 0', "the count '0' is not a whole number from 1 to 100,000"],
    [linspace, '0 1 2.5', "the count '2.5' is not a whole number from 1 to 100,000"],
    [linspace, '0 1 100001', "the count '100001' is not a whole number from 1 to 100,000"],
    [linspace, '0 x 2', "'x' is not a number"],
    [logspace, '0 400 2', '10^400 is out of range'],
  ])('%o of %s is refused', (space, given, reason) => {
    expect(() => space(...numbersOf(given))).toThrow(new UserError(reason))
  })
})
