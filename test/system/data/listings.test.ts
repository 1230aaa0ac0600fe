import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { DataListing } from '../../../src/domain/data/fingerprint.js'
import { digestOf, keepListing, readListing } from '../../../src/system/data/listings.js'
import { cases } from '../../cases.js'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'qanat-listings-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

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
  const kept = folder()
  fc.assert(
    fc.property(anyListing, listing => {
      expect(readListing(kept, keepListing(kept, listing))).toEqual(listing)
    }),
    { numRuns: cases(20) },
  )
})

test('equal listings are kept once', () => {
  const kept = folder()
  const listing: DataListing = {
    files: [{ path: 'a', size: 1, mtime: 1, hash: null }],
    ...{ skipped: [], partial: null },
  }
  expect(keepListing(kept, listing)).toBe(keepListing(kept, { ...listing }))
  expect(readdirSync(join(kept, 'listings'))).toHaveLength(1)
})

test('a listing that is damaged or gone is null', () => {
  const kept = folder()
  const name = keepListing(kept, { files: [], skipped: [], partial: null })
  writeFileSync(join(kept, 'listings', `${name}.gz`), 'damaged')
  expect(readListing(kept, name)).toBe(null)
  expect(readListing(kept, 'other')).toBe(null)
})

test('the digest does not depend on times', () => {
  fc.assert(
    fc.property(anyListing, listing => {
      const touched = { ...listing, files: listing.files.map(file => ({ ...file, mtime: 0 })) }
      expect(digestOf(touched)).toBe(digestOf(listing))
    }),
  )
})
