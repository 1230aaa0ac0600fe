import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ordered, readSort } from '../../../src/domain/results/ordered.js'
import { testAny } from '../../cases.js'

test('items are ordered by number, then by text, and what is unknown comes last in both directions', () => {
  const keys = ['10', '1a', '2', null, '']
  expect(ordered(['a', 'b', 'c', 'd', 'e'], keys, false)).toEqual(['c', 'a', 'e', 'b', 'd'])
  expect(ordered(['a', 'b', 'c', 'd', 'e'], keys, true)).toEqual(['b', 'e', 'a', 'c', 'd'])
  expect(ordered(['a', 'b', 'c', 'd'], [1, null, 3, 2], true)).toEqual(['c', 'd', 'a', 'b'])
})

const text = fc.constantFrom('10', '2', '1a', '', '_x', '0.5', '1e-3', 'b', 'B', 'é', null)
const key = fc.oneof(fc.double({ noNaN: true }), text)
testAny([fc.array(key), fc.boolean()])('the order does not depend on the order before', (keys, isReverse) => {
  const sorted = ordered(keys, keys, isReverse)
  expect(ordered(sorted, sorted, isReverse)).toEqual(sorted)
  const comparable = (each: unknown) =>
    each === null || each === '' || Number.isNaN(Number(each)) ? each : Number(each) + 0
  const others = keys.toReversed()
  expect(ordered(others, others, isReverse).map(comparable)).toEqual(sorted.map(comparable))
})

const few = fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity, 5e-324, 1e300, 1e300 + 1e284)
const numbers = fc.array(fc.oneof(few, fc.double({ noNaN: true })))
testAny([numbers, fc.boolean()])('numbers are ordered as a comparison of two orders them', (keys, isReverse) => {
  const compared = (one: number, other: number) => (keys[one] === keys[other] ? 0 : keys[one]! < keys[other]! ? -1 : 1)
  const places = [...keys.keys()]
  const expected = places.toSorted((one, other) => (isReverse ? compared(other, one) : compared(one, other)))
  expect(ordered(places, keys, isReverse)).toEqual(expected)
})

test.each([
  ['acc', { by: 'acc', isReverse: false }],
  ['-acc', { by: 'acc', isReverse: true }],
  ['--lr', { by: '--lr', isReverse: false }],
  ['---lr', { by: '--lr', isReverse: true }],
])('--sort %s sorts by %j', (sort, expected) => {
  expect(readSort(sort)).toEqual(expected)
})
