import { expect, test } from 'vitest'
import { timeless } from './timeless.js'

test.each([
  ['Run 1 finished: 10 finished in 0.8 s', 'Run 1 finished: 10 finished in 12.3 s'],
  ['commit 0771af9 (frozen)', 'commit deddbaa (frozen)'],
  ['Ran: 2026-11-21 12:51:50 → 2026-11-21 12:51:51 (0.8 s)', 'Ran: 2026-11-22 02:51:50 → 2026-11-22 02:51:52 (1.8 s)'],
  ['(14.7 kB, sha256:04a7a14a3836)', '(14.8 kB, sha256:4a7a14a38367)'],
  ['a   b', 'a b'],
])('%j says the same as %j', (one, other) => {
  expect(timeless(one)).toBe(timeless(other))
})

test.each([
  ['Run 1 finished: 10 finished', 'Run 1 finished: 9 finished'],
  ['0.948 ± 0.011 (5)', '0.949 ± 0.011 (5)'],
  ['baseline', 'based'],
  ['exit code 137', 'exit code 1'],
  ['--seed 1', '--seed 2'],
])('%j says something else than %j', (one, other) => {
  expect(timeless(one)).not.toBe(timeless(other))
})
