import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf, keepListing, readListing } from '../../../src/project/data/listings.js'
import { projectAt } from '../../../src/project/find-project.js'
import { cases } from '../../cases.js'
import { folderWith } from '../temporary.js'

const anyListing = fc.record({
  files: fc.array(
    fc.record({
      path: fc.string({ unit: 'grapheme' }),
      size: fc.nat(),
      mtime: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
      hash: fc.option(fc.constantFrom('git:a', 'sha256:b')),
    }),
  ),
  skipped: fc.array(fc.string()),
  partial: fc.option(fc.string()),
})

test('a listing is read as it was kept', () => {
  const kept = projectAt(folderWith(), [])
  fc.assert(
    fc.property(anyListing, listing => {
      expect(readListing(kept, keepListing(kept, listing))).toEqual(listing)
    }),
    { numRuns: cases(20) },
  )
})

test('equal listings are kept once, and one that is damaged or gone is null', () => {
  const kept = projectAt(folderWith(), [])
  const listing = { files: [{ path: 'a', size: 1, mtime: 1, hash: null }], skipped: [], partial: null }
  const name = keepListing(kept, listing)
  expect(keepListing(kept, { ...listing })).toBe(name)
  expect(readdirSync(join(kept.dataFolder, 'listings'))).toEqual([`${name}.gz`])
  writeFileSync(join(kept.dataFolder, 'listings', `${name}.gz`), 'damaged')
  expect([name, 'other'].map(each => readListing(kept, each))).toEqual([null, null])
})

test('the digest does not depend on times', () => {
  fc.assert(
    fc.property(anyListing, listing => {
      const touched = { ...listing, files: listing.files.map(file => ({ ...file, mtime: 0 })) }
      expect(digestOf(touched)).toBe(digestOf(listing))
    }),
  )
})
