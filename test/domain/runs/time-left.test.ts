import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew } from '../../../src/domain/runs/aggregate.js'
import { timeLeft } from '../../../src/domain/runs/time-left.js'
import { testAny } from '../../cases.js'

/** By the counts of groups, how long those that have ended took, and how long each that runs has run. */
function left(counts: object, took: number, underWay: number) {
  const all = { ...countsOfNew(0), ...counts }
  const [ended, running, now] = [all.finished + all.failed, all.running, 100_000]
  return timeLeft(all, { ended, took, running, starts: running * (now - underWay) }, now)
}

describe('the time left of a run', () => {
  test.each([
    ['is not known before a group has ended', { pending: 8, running: 2 }, 0, 100_000, null],
    ['is null if nothing is left', { finished: 10 }, 100_000, 0, null],
    ['is what the others take', { pending: 6, finished: 4 }, 40_000, 0, 60_000],
    ['counts as many groups at a time as run now', { pending: 6, running: 2, finished: 2 }, 20_000, 0, 40_000],
    ['leaves out what running groups have done', { pending: 6, running: 2, finished: 2 }, 20_000, 5_000, 35_000],
    ['is not known of groups that take longer than others', { running: 1, finished: 9 }, 9000, 100_000, null],
    ['counts groups that are held as waiting', { held: 3, failed: 1 }, 5000, 0, 15_000],
  ])('%s', (_, counts, took, underWay, expected) => {
    expect(left(counts, took, underWay)).toBe(expected)
  })

  const running = fc.integer({ min: 1, max: 50 })
  testAny([running, fc.nat(500)])(
    'shrinks by a second each second while groups run as the others did',
    (some, pending) => {
      const at = (underWay: number) => left({ pending, running: some, finished: 10 }, 600_000, underWay)!
      expect(at(10_000) - at(11_000)).toBeCloseTo(1000, 3)
    },
  )
})
