import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uniqueNames } from '../../../src/domain/text/unique-names.js'
import { testAny } from '../../cases.js'

test.each([
  [['a', 'b'], [], ['a', 'b']],
  [['a', 'A', 'a'], [], ['a', 'A_2', 'a_3']],
  [['a', 'a_2', 'a'], [], ['a', 'a_2', 'a_3']],
  [['Runs'], ['runs'], ['Runs_2']],
])('%j beside %j become %j', (names, taken, expected) => {
  expect(uniqueNames(names, taken)).toEqual(expected)
})

const name = fc.constantFrom('a', 'A', 'a_2', 'A_2', 'a_2_2', 'b')
testAny([fc.array(name), fc.array(name)])('no two names are alike, and those that were unique stay', (names, taken) => {
  const unique = uniqueNames(names, taken).map(each => each.toLowerCase())
  expect(new Set([...unique, ...taken.map(each => each.toLowerCase())]).size).toBe(
    unique.length + new Set(taken.map(each => each.toLowerCase())).size,
  )
})
