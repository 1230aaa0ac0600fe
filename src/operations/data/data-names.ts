import { compareListings, isChanged } from '../../domain/data/compare-listings.js'
import type { DataListing, Fingerprint } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { readListing } from '../../system/data/listings.js'
import type { Workspace } from '../workspace.js'

/** One state of a dataset, and the first run that read it. */
interface State {
  readonly run: number
  readonly fingerprint: Fingerprint
}

/**
 * Short names for the data of runs, as `iris as run 4`: the first run that read the same. Empty if all runs, as far as they
 * have recorded it, read the same; runs without a record have no name.
 * @param runs the oldest first
 */
export function dataNames({ store, project }: Workspace, runs: readonly Run[]): Map<number, string> {
  const states = new Map<string, State[]>()
  const firsts = new Map<number, Map<string, number>>()
  const read = new Map<string, DataListing | null>()
  const listingOf = ({ listing }: Fingerprint) => {
    if (listing !== null && !read.has(listing)) read.set(listing, readListing(project.dataFolder, listing))
    return listing === null ? null : read.get(listing)!
  }
  const isSame = (one: Fingerprint, other: Fingerprint) => {
    if (one.digest === other.digest) return true
    const [before, after] = [listingOf(one), listingOf(other)]
    // Without a listing only the digests tell, which say nothing about each other if the levels differ.
    if (!(before && after)) return one.level !== other.level
    return !isChanged(compareListings(before, after))
  }
  const recorded = store.reading(() => runs.map(({ id }) => ({ id, fingerprints: store.data.of(id) })))
  for (const { id, fingerprints } of recorded) {
    for (const fingerprint of fingerprints) {
      if (fingerprint.digest === null) continue
      const known = states.get(fingerprint.name) ?? []
      const same = known.find(state => isSame(state.fingerprint, fingerprint))
      if (!same) states.set(fingerprint.name, [...known, { run: id, fingerprint }])
      firsts.set(id, (firsts.get(id) ?? new Map<string, number>()).set(fingerprint.name, same?.run ?? id))
    }
  }
  const varied = [...states].filter(([, each]) => each.length > 1).map(([name]) => name)
  const named = [...firsts].map(([run, first]): [number, string] => {
    const there = varied.filter(name => first.has(name))
    return [run, there.map(name => `${name} as run ${first.get(name)}`).join(', ')]
  })
  return new Map(named.filter(([, text]) => text !== ''))
}
