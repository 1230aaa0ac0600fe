import { expect, test } from 'vitest'
import { compareListings, differenceText } from '../../../src/domain/data/compare-listings.js'
import type { DataListing } from '../../../src/domain/data/fingerprint.js'
import { cameBefore, changesDuring, type Period } from '../../../src/domain/data/when-changed.js'

/** A listing of files by their sizes. */
function listing(sizes: Readonly<Record<string, number>>, mtime = 0): DataListing {
  const files = Object.entries(sizes).map(([path, size]) => ({ path, size, mtime, hash: null }))
  return { files, skipped: [], partial: null }
}

const before = listing({ a: 1, b: 1, c: 1 })
/** A run of a minute that was looked at an hour later. */
const period: Period = { launched: 100_000, ended: 160_000, looked: 3_760_000, isSinceLaunch: true }

/** What certainly came while it ran, and what perhaps did. @param times of the file b */
function during(after: DataListing, times: readonly number[], changed: Partial<Period> = {}): [string, string] {
  const found = changesDuring(compareListings(before, after), new Map([['b', times]]), { ...period, ...changed })
  return [differenceText(found.certain), differenceText(found.perhaps)]
}

const changedB = listing({ a: 1, b: 2, c: 1 })

test.each([
  ['was written while the run ran', [130_000, 130_000], ['1 file changed', '']],
  ['was written then, and its mode changed later', [130_000, 500_000], ['1 file changed', '']],
  ['got another time of writing then', [5, 130_000], ['1 file changed', '']],
  ['was written later', [500_000, 500_000], ['', '']],
  ['is an older one that was copied there later', [5, 500_000], ['', '']],
  ['is an older one that came there with its folder', [5, 5], ['', '1 file changed']],
  ['was written half a second after the end, by another clock', [160_500, 160_500], ['1 file changed', '']],
])('a file %s', (_, times, expected) => {
  expect(during(changedB, times)).toEqual(expected)
})

test('files that are gone have gone while the run ran, or later; right after its end only the first is possible', () => {
  const gone = listing({ a: 1, b: 1 })
  expect(during(gone, [])).toEqual(['', '1 file gone'])
  expect(during(gone, [], { looked: 160_200 })).toEqual(['1 file gone', ''])
})

test('right after the end, the clock of a file server that runs ahead makes no difference', () => {
  expect(during(changedB, [170_000, 170_000], { looked: 160_200 })).toEqual(['1 file changed', ''])
})

test('all groups of a run have read what had changed before the first of them started', () => {
  const before = (times: readonly number[], started: number) =>
    cameBefore(compareListings(listing({ b: 1 }), listing({ b: 2 })), new Map([['b', times]]), 100_000, started)
  expect(before([5, 120_000], 130_000)).toBe(true)
  expect(before([5, 120_000], 120_500)).toBe(false)
  expect(before([5, 5], 130_000)).toBe(false)
  // Made just before the launch, they may have taken the place of the others while groups ran.
  expect(before([99_900, 99_900], 130_000)).toBe(false)
})

test('what had changed before a retry did not change while it ran', () => {
  expect(during(changedB, [90_000, 90_000], { isSinceLaunch: false })).toEqual(['', ''])
  expect(during(changedB, [99_900, 99_900], { isSinceLaunch: false })).toEqual(['', ''])
  expect(during(changedB, [99_900, 99_900])).toEqual(['1 file changed', ''])
  expect(during(changedB, [130_000, 130_000], { isSinceLaunch: false })).toEqual(['1 file changed', ''])
})

test('nothing is certain of a run whose end nobody knows', () => {
  expect(during(changedB, [130_000, 130_000], { ended: null })).toEqual(['', '1 file changed'])
})

test('a file of which only the time differs has maybe changed if that time is within the run', () => {
  const touched = listing({ a: 1, b: 1, c: 1 }, 7)
  expect(during(touched, [130_000, 130_000])).toEqual(['1 file maybe changed', ''])
  expect(during(touched, [500_000, 500_000], { isSinceLaunch: false })).toEqual(['', ''])
})
