import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew } from '../../../src/domain/runs/aggregate.js'
import { timeLeft } from '../../../src/domain/runs/time-left.js'

const nothing = { ended: 0, took: 0, running: 0, starts: 0 }

describe('the time left of a run', () => {
  test.each([
    ['is not known before a group has ended', { pending: 8, running: 2 }, { ...nothing, running: 2, starts: 0 }, null],
    ['is null if nothing is left', { finished: 10 }, { ...nothing, ended: 10, took: 100_000 }, null],
    ['is what the others take', { pending: 6, finished: 4 }, { ...nothing, ended: 4, took: 40_000 }, 60_000],
    [
      'counts as many groups at a time as run now',
      { pending: 6, running: 2, finished: 2 },
      { ended: 2, took: 20_000, running: 2, starts: 2 * 100_000 },
      40_000,
    ],
    [
      'leaves out what running groups have done already',
      { pending: 6, running: 2, finished: 2 },
      { ended: 2, took: 20_000, running: 2, starts: 2 * 95_000 },
      35_000,
    ],
    [
      'is not known of groups that take longer than the others did',
      { running: 1, finished: 9 },
      { ended: 9, took: 9000, running: 1, starts: 0 },
      null,
    ],
    ['counts groups that are held as waiting', { held: 3, failed: 1 }, { ...nothing, ended: 1, took: 5000 }, 15_000],
  ])('%s', (_, counts, pace, expected) => {
    expect(timeLeft({ ...countsOfNew(0), ...counts }, pace, 100_000)).toBe(expected)
  })

  test('shrinks by one second each second while groups run as long as the others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 500 }), (running, pending) => {
        const each = 60_000
        const pace = { ended: 10, took: 10 * each, running, starts: 0 }
        const counts = { ...countsOfNew(pending), running, finished: 10 }
        const [before, after] = [timeLeft(counts, pace, 10_000)!, timeLeft(counts, pace, 11_000)!]
        expect(before - after).toBeCloseTo(1000, 3)
      }),
    )
  })
})
