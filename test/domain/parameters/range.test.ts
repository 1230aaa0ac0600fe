import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  linspace,
  logspace,
  looksLikeValues,
  makeRange,
  rangeIndex,
  rangeValue,
} from '../../../src/domain/parameters/range.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

function valuesOf(start: string, stop: string, step: string): string[] {
  const range = makeRange(start, stop, step)
  return Array.from({ length: range.count }, (_, index) => rangeValue(range, index))
}

describe('three numbers that look like values', () => {
  test.each([
    ['0 1 2', true],
    ['1 2 3', true],
    ['0.1 0.2 0.3', true],
    ['16 32 64', true],
    ['-1 0 1', true],
    ['1 0 -1', true],
    ['0 -1 -2', true],
    ['3 7 5', true],
    ['7 42 123', true],
    ['0 1 1', false],
    ['5 6 1', false],
    ['5 0 -5', true],
    ['6 5 -1', false],
    ['0 10 1', false],
    ['0 10 10', false],
    ['10 50 20', false],
    ['0 3 2', false],
    ['3 2 1', false],
    ['1 1 1', false],
    ['0 1 0', false],
  ])('%s: %s', (numbers, expected) => {
    const [start, stop, step] = numbers.split(' ') as [string, string, string]
    expect(looksLikeValues(start, stop, step)).toBe(expected)
  })

  const number = fc.integer({ min: -1000, max: 1000 })
  testAny([number, number, number])(
    'make a range of one value, and any three numbers above 0 in order look so',
    (start, stop, step) => {
      const isOrdered = 0 < start && start < stop && stop < step
      const looks = looksLikeValues(String(start), String(stop), String(step))
      if (looks) expect(valuesOf(String(start), String(stop), String(step))).toHaveLength(1)
      if (isOrdered) expect(looks).toBe(true)
    },
  )
})

describe('a range', () => {
  test.each([
    ['0', '3', '1', ['0', '1', '2']],
    ['0.1', '0.4', '0.1', ['0.1', '0.2', '0.3']],
    ['5', '0', '-2', ['5', '3', '1']],
    ['-1', '1', '0.5', ['-1', '-0.5', '0', '0.5']],
    ['1e-3', '3e-3', '1e-3', ['0.001', '0.002']],
    ['0.10', '0.2', '1', ['0.1']],
    ['1e21', '1e21', '1', 'nothing lies between 1e21 and 1e21 in steps of 1'],
    ['99999999999999999999', '100000000000000000001', '1', ['99999999999999999999', '100000000000000000000']],
    ['7293232176045657', '-25307630685527637', '-16300431430786647', ['7293232176045657', '-9007199254740990']],
    ['-0', '1', '1', ['0']],
    ['0', '10', '0', 'step is 0'],
    ['0', '10', '0.0', 'step is 0'],
    ['10', '0', '1', 'nothing lies between 10 and 0 in steps of 1'],
    ['0', 'ten', '1', "'ten' is not a number"],
    ['0', '', '1', "'' is not a number"],
    ['0', '0x10', '1', "'0x10' is not a number"],
    ['0', '1e1000000000', '1', '1e1000000000 is out of range'],
  ])('from %s to %s in steps of %s', (start, stop, step, expected) => {
    if (typeof expected === 'string') expect(() => valuesOf(start, stop, step)).toThrow(new UserError(expected))
    else expect(valuesOf(start, stop, step)).toEqual(expected)
  })

  test.each([
    ['0', '3', '1', '2', 2],
    ['0', '3', '1', '3', null],
    ['0', '3', '1', '-1', null],
    ['0', '3', '1', '2.0', 2],
    ['0', '3', '1', '20e-1', 2],
    ['0', '3', '1', '1.', 1],
    ['0', '3', '1', '1e-999999999', null],
    ['0', '3', '1', '1.5', null],
    ['5', '0', '-2', '1', 2],
    ['0.1', '0.4', '0.1', '0.3', 2],
    ['0.1', '0.4', '0.1', 'ten', null],
    ['0', '3', '1', '', null],
    ['0', '3', '1', '9e999999999', null],
    ['99999999999999999999', '100000000000000000001', '1', '100000000000000000000', 1],
  ])('from %s to %s in steps of %s finds %j at %s', (start, stop, step, text, index) => {
    expect(rangeIndex(makeRange(start, stop, step), text)).toBe(index)
  })

  const decimals = fc.nat({ max: 25 })
  const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  const stride = digits.filter(step => step !== 0n)
  const overshoot = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  testAny([decimals, digits, stride, fc.integer({ min: 1, max: 50 }), overshoot])(
    'is exact, whatever the decimals',
    (places, first, step, count, part) => {
      // Anything in (first + (count - 1) × step, first + count × step] stops after `count` values.
      const beyond = (step * BigInt(Math.floor(part * 1000))) / 1000n
      const stop = first + step * BigInt(count) - (beyond === step ? 0n : beyond)
      const written = (value: bigint) => `${value}e-${places}`
      const expected = Array.from({ length: count }, (_, index) => first + step * BigInt(index))
      const values = valuesOf(written(first), written(stop), written(step))
      expect(values.map(value => scaled(value, places))).toEqual(expected)
      const range = makeRange(written(first), written(stop), written(step))
      expect(values.map(value => rangeIndex(range, value))).toEqual([...values.keys()])
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
  test.each([
    [linspace, ['0', '1', '5'], ['0', '0.25', '0.5', '0.75', '1']],
    [linspace, ['0', '1', '4'], ['0', '0.3333333333333333', '0.6666666666666666', '1']],
    [linspace, ['0', '1', '11'], ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1']],
    [linspace, ['3', '-3', '3'], ['3', '0', '-3']],
    [linspace, ['2.50', '7', '1'], ['2.5']],
    [
      linspace,
      ['0', '1e-30', '4'],
      ['0', `0.${'0'.repeat(30)}33333333333333333`, `0.${'0'.repeat(30)}6666666666666667`, `0.${'0'.repeat(29)}1`],
    ],
    [logspace, ['-3', '0', '4'], ['0.001', '0.01', '0.1', '1']],
    [logspace, ['0', '1', '3'], ['1', '3.1622776601683795', '10']],
    [logspace, ['23', '23', '1'], ['100000000000000000000000']],
  ])('%o of %j', (space, [start, stop, count], expected) => {
    expect(space(start!, stop!, count!)).toEqual(expected)
  })

  test.each([
    [linspace, ['0', '1', '0'], "the count '0' is not a whole number from 1 to 100,000"],
    [linspace, ['0', '1', '2.5'], "the count '2.5' is not a whole number from 1 to 100,000"],
    [linspace, ['0', '1', '100001'], "the count '100001' is not a whole number from 1 to 100,000"],
    [linspace, ['0', 'x', '2'], "'x' is not a number"],
    [logspace, ['0', '400', '2'], '10^400 is out of range'],
  ])('%o of %j is refused', (space, [start, stop, count], reason) => {
    expect(() => space(start!, stop!, count!)).toThrow(new UserError(reason))
  })
})
