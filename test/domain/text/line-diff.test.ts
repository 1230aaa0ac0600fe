import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/domain/text/line-diff.js'
import { testAny } from '../../cases.js'

test.each([
  ['', '', []],
  ['a\n', 'a\n', [' a']],
  ['', 'a\nb\n', ['+a', '+b']],
  ['a\nb', '', ['-a', '-b']],
  ['a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
  ['a\nb\nc\n', 'b\nc\na\n', ['-a', ' b', ' c', '+a']],
])('the difference of %j and %j', (before, after, expected) => {
  expect(lineDiff(before, after).map(({ mark, line }) => mark + line)).toEqual(expected)
})

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
testAny([lines, lines])('a difference contains both texts, and as many common lines as there can be', (one, other) => {
  const diff = lineDiff(one.map(line => `${line}\n`).join(''), other.map(line => `${line}\n`).join(''))
  const without = (mark: string) => diff.filter(line => line.mark !== mark).map(({ line }) => line)
  expect(without('+')).toEqual(one)
  expect(without('-')).toEqual(other)
  expect(diff.filter(({ mark }) => mark === ' ')).toHaveLength(longestCommon(one, other))
})

/** By trying all: how many lines both have in common, in order. */
function longestCommon([first, ...rest]: readonly string[], other: readonly string[]): number {
  if (first === undefined) return 0
  const at = other.indexOf(first)
  const taken = at === -1 ? 0 : 1 + longestCommon(rest, other.slice(at + 1))
  return Math.max(taken, longestCommon(rest, other))
}
