import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ordered, readSort } from '../../../src/domain/results/ordered.js'
import { testAny } from '../../cases.js'

const key = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom('10', '2', '1a', '', '_x', '0.5', '1e-3', 'b', 'B', 'é'),
  fc.constant(null),
)

test('items are ordered by number, then by text, and what is unknown comes last in both directions', () => {
  expect(ordered(['a', 'b', 'c', 'd', 'e'], ['10', '1a', '2', null, ''], false)).toEqual(['c', 'a', 'e', 'b', 'd'])
  expect(ordered(['a', 'b', 'c', 'd'], [1, null, 3, 2], true)).toEqual(['c', 'd', 'a', 'b'])
})

testAny([fc.array(key), fc.boolean()])(
  'the order does not depend on the order before, but for equal keys, which keep it',
  (keys, isReverse) => {
    const places = [...keys.keys()]
    const sorted = ordered(places, keys, isReverse).map(at => keys[at])
    const again = ordered(sorted, sorted as (number | string | null)[], isReverse)
    expect(again).toEqual(sorted)
    const other = ordered([...keys].reverse(), [...keys].reverse(), isReverse)
    const rank = (each: unknown) =>
      each === null ? 2 : typeof each === 'number' || /^-?[\d.]+(e-?\d+)?$/.test(String(each)) ? 0 : 1
    const kinds = sorted.map(rank)
    expect(kinds.filter(kind => kind < 2)).toEqual(
      [...kinds.filter(kind => kind < 2)].sort((one, two) => (isReverse ? two - one : one - two)),
    )
    const comparable = (each: unknown) => (rank(each) === 0 ? Number(each) + 0 : each)
    expect(other.map(comparable)).toEqual(sorted.map(comparable))
  },
)

const few = fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity, 5e-324, 1e300, 1e300 + 1e284)
testAny([fc.array(fc.oneof(few, fc.double({ noNaN: true }))), fc.boolean()])(
  'numbers are ordered as a comparison of two at a time orders them',
  (keys, isReverse) => {
    const compared = (one: number, other: number) =>
      keys[one] === keys[other] ? 0 : keys[one]! < keys[other]! ? -1 : 1
    const places = [...keys.keys()]
    expect(ordered(places, keys, isReverse)).toEqual(
      places.toSorted((one, other) => (isReverse ? compared(other, one) : compared(one, other))),
    )
  },
)

test.each([
  ['acc', { by: 'acc', isReverse: false }],
  ['-acc', { by: 'acc', isReverse: true }],
  ['--lr', { by: '--lr', isReverse: false }],
  ['---lr', { by: '--lr', isReverse: true }],
])('--sort %s sorts by %j', (sort, expected) => {
  expect(readSort(sort)).toEqual(expected)
})
