import { expect, test } from 'vitest'
import { joinedNames } from '../../../src/domain/results/named.js'

const there = new Map(['acc', 'acc,none', 'acc_stderr,none', 'a,b,c', 'loss'].map(name => [name, true]))

test.each([
  ['acc', ['acc']],
  ['acc,loss', ['acc', 'loss']],
  ['acc,none', ['acc,none']],
  ['loss,acc,none:max,acc', ['loss', 'acc,none:max', 'acc']],
  ['acc_stderr,none,a,b,c', ['acc_stderr,none', 'a,b,c']],
  ['a,b', ['a', 'b']],
  ['other,loss', ['other', 'loss']],
])('of names that may have commas, %s has %j', (text, names) => {
  expect(joinedNames(text.split(','), there)).toEqual(names)
})
