import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareListings, differenceText, isChanged } from '../../../src/domain/data/compare-listings.js'
import type { DataFile, DataListing } from '../../../src/domain/data/fingerprint.js'
import { testAny } from '../../cases.js'

const file = (facts: Partial<DataFile> = {}): DataFile => ({ path: 'a', size: 1, mtime: 1, hash: null, ...facts })
const listing = (files: readonly DataFile[], facts: Partial<DataListing> = {}): DataListing => ({
  ...{ files, skipped: [], partial: null },
  ...facts,
})

describe('a file of a dataset', () => {
  const cases: [string, Partial<DataFile>, Partial<DataFile>, string][] = [
    ['is the same with the same size and time', {}, {}, ''],
    ['is changed with another size', {}, { size: 2 }, '1 file changed'],
    ['is changed with another size, whatever its time', { mtime: 5 }, { mtime: 5, size: 2 }, '1 file changed'],
    ['is maybe changed with another time', {}, { mtime: 2 }, '1 file maybe changed'],
    ['is maybe changed with an earlier time', {}, { mtime: 0 }, '1 file maybe changed'],
    ['is the same with the same hash', { hash: 'sha256:a' }, { hash: 'sha256:a', mtime: 2 }, ''],
    ['is changed with another hash', { hash: 'sha256:a' }, { hash: 'sha256:b' }, '1 file changed'],
    [
      'is maybe changed if its hashes are of other kinds',
      { hash: 'git:a' },
      { hash: 'sha256:b', mtime: 2 },
      '1 file maybe changed',
    ],
    ['is the same by its time if only one hash is known', { hash: 'sha256:a' }, {}, ''],
    ['is maybe changed if no time is known', { mtime: null }, { mtime: null }, '1 file maybe changed'],
    ['is the same by git, which knows no times', { mtime: null, hash: 'git:a' }, { mtime: null, hash: 'git:a' }, ''],
  ]
  test.each(cases)('%s', (_, before, after, text) => {
    expect(differenceText(compareListings(listing([file(before)]), listing([file(after)])))).toBe(text)
  })
})

describe('files that are not there', () => {
  const cases: [string, DataListing, DataListing, string][] = [
    ['before are added', listing([]), listing([file()]), '1 file added'],
    ['after are gone', listing([file()]), listing([]), '1 file gone'],
    ['in a part that was not looked at are not gone', listing([file()]), listing([], { partial: 'too many' }), ''],
    ['in a part that was not looked at are not added', listing([], { partial: 'too many' }), listing([file()]), ''],
    [
      'below a folder that could not be read are not gone',
      listing([file({ path: 'a/b' })]),
      listing([], { skipped: ['a'] }),
      '',
    ],
    [
      'beside a folder that could not be read are gone',
      listing([file({ path: 'ab' })]),
      listing([], { skipped: ['a'] }),
      '1 file gone',
    ],
    ['below a top that could not be read are not gone', listing([file()]), listing([], { skipped: ['.'] }), ''],
  ]
  test.each(cases)('%s', (_, before, after, text) => {
    expect(differenceText(compareListings(before, after))).toBe(text)
  })
})

test('a file that could not be looked at is named, apart from the others if it was seen at neither time', () => {
  const before = listing([file()], { skipped: ['pipe', 'then'] })
  expect(compareListings(before, listing([], { skipped: ['a', 'pipe'] }))).toEqual({
    ...{ added: [], gone: [], changed: [], maybe: [], sizes: new Map(), isPartial: true },
    ...{ unseen: ['a', 'then'], neverSeen: ['pipe'] },
  })
})

test('the counts of a difference are told in one line', () => {
  const difference = {
    gone: ['a', 'b'],
    added: ['c'],
    changed: ['d'],
    sizes: new Map(),
    maybe: ['e'],
    unseen: [],
    neverSeen: [],
    isPartial: false,
  }
  expect(differenceText(difference)).toBe('2 files gone, 1 added, 1 changed, 1 maybe changed')
})

const anyFile = fc.record({
  path: fc.constantFrom('a', 'b', 'c/d', 'c/e'),
  size: fc.nat(2),
  mtime: fc.option(fc.nat(2)),
  hash: fc.option(fc.constantFrom('git:a', 'git:b', 'sha256:a', 'sha256:b')),
})
const anyListing = fc.record({
  files: fc.uniqueArray(anyFile, { selector: ({ path }) => path }),
  skipped: fc.constantFrom<string[]>([], ['c']),
  partial: fc.constantFrom(null, 'too many'),
})

testAny([anyListing, anyListing])(
  'a difference seen from the other side has added and gone exchanged',
  (one, other) => {
    const there = compareListings(one, other)
    const back = compareListings(other, one)
    const sizes = new Map([...there.sizes].map(([path, [before, after]]) => [path, [after, before]]))
    expect([...sizes.keys()]).toEqual(there.changed)
    expect(back).toEqual({ ...there, sizes, added: there.gone, gone: there.added })
  },
)

testAny([anyListing])('data with known times or hashes have not changed from themselves', one => {
  const difference = compareListings(one, one)
  expect(isChanged(difference)).toBe(false)
  const unknown = one.files.filter(({ mtime, hash }) => mtime === null && hash === null)
  expect(difference.maybe).toEqual(unknown.map(({ path }) => path).sort())
})
