import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareListings, differenceText, isChanged } from '../../../src/domain/data/compare-listings.js'
import type { DataFile, DataListing } from '../../../src/domain/data/fingerprint.js'
import { testAny } from '../../cases.js'

const file = (facts: Partial<DataFile> = {}): DataFile => ({ path: 'a', size: 1, mtime: 1, hash: null, ...facts })
const listing = (files: readonly DataFile[], facts: Partial<DataListing> = {}): DataListing => {
  return { files, skipped: [], partial: null, ...facts }
}

test.each<[string, Partial<DataFile>, Partial<DataFile>, string]>([
  ['the same with the same size and time', {}, {}, ''],
  ['changed with another size', {}, { size: 2 }, '1 file changed'],
  ['maybe changed with a later time', {}, { mtime: 2 }, '1 file maybe changed'],
  ['maybe changed with an earlier time', {}, { mtime: 0 }, '1 file maybe changed'],
  ['the same with the same hash', { hash: 'sha256:a' }, { hash: 'sha256:a', mtime: 2 }, ''],
  ['changed with another hash', { hash: 'sha256:a' }, { hash: 'sha256:b' }, '1 file changed'],
  ['maybe changed with another kind', { hash: 'git:a' }, { hash: 'sha256:b', mtime: 2 }, '1 file maybe changed'],
  ['the same by its time if only one hash is known', { hash: 'sha256:a' }, {}, ''],
  ['maybe changed if no time is known', { mtime: null }, { mtime: null }, '1 file maybe changed'],
  ['the same by git, which knows no times', { mtime: null, hash: 'git:a' }, { mtime: null, hash: 'git:a' }, ''],
])('a file of a dataset is %s', (_, before, after, text) => {
  expect(differenceText(compareListings(listing([file(before)]), listing([file(after)])))).toBe(text)
})

/** No file, in a listing of which not all could be read. */
const without = (facts: Partial<DataListing>) => listing([], facts)

test.each<[string, DataListing, DataListing, string]>([
  ['before are added', listing([]), listing([file()]), '1 file added'],
  ['after are gone', listing([file()]), listing([]), '1 file gone'],
  ['in a part that was not looked at are not gone', listing([file()]), without({ partial: 'too many' }), ''],
  ['in a part that was not looked at are not added', without({ partial: 'too many' }), listing([file()]), ''],
  ['below an unreadable folder are not gone', listing([file({ path: 'a/b' })]), without({ skipped: ['a'] }), ''],
  ['beside one are gone', listing([file({ path: 'ab' })]), without({ skipped: ['a'] }), '1 file gone'],
  ['below an unreadable top are not gone', listing([file()]), without({ skipped: ['.'] }), ''],
])('files that are not there %s', (_, before, after, text) => {
  expect(differenceText(compareListings(before, after))).toBe(text)
})

test('a file that could not be looked at is named, apart from the others if it was seen at neither time', () => {
  const before = listing([file()], { skipped: ['pipe', 'then'] })
  expect(compareListings(before, listing([], { skipped: ['a', 'pipe'] }))).toEqual({
    ...{ added: [], gone: [], changed: [], maybe: [], sizes: new Map(), isPartial: true },
    ...{ unseen: ['a', 'then'], neverSeen: ['pipe'] },
  })
})

test('the counts of a difference are told in one line', () => {
  const counts = { gone: ['a', 'b'], added: ['c'], changed: ['d'], maybe: ['e'] }
  const difference = { ...counts, sizes: new Map(), unseen: [], neverSeen: [], isPartial: false }
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

testAny([anyListing, anyListing])('a difference from the other side has added and gone exchanged', (one, other) => {
  const there = compareListings(one, other)
  const sizes = new Map([...there.sizes].map(([path, [before, after]]) => [path, [after, before]]))
  expect([...sizes.keys()]).toEqual(there.changed)
  expect(compareListings(other, one)).toEqual({ ...there, sizes, added: there.gone, gone: there.added })
})

testAny([anyListing])('data with known times or hashes have not changed from themselves', one => {
  const difference = compareListings(one, one)
  expect(isChanged(difference)).toBe(false)
  const unknown = one.files.filter(({ mtime, hash }) => mtime === null && hash === null)
  expect(difference.maybe).toEqual(unknown.map(({ path }) => path).sort())
})
