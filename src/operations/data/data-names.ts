import { compareListings, differenceText, isChanged } from '../../domain/data/compare-listings.js'
import type { DataListing, Fingerprint } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { readListing } from '../../project/data/listings.js'
import { DatasetsNow } from '../registry/datasets-now.js'
import type { Workspace } from '../workspace.js'

/** One state of a dataset, and the first run that read it. */
interface State {
  readonly run: number
  readonly fingerprint: Fingerprint
  /** Runs that may have read another state, although theirs counts as this one; by what may differ. */
  readonly doubted: Map<string, number[]>
}

/** What runs have read. */
export interface DataNames {
  /** By the id of the run; empty if all runs with a record read the same. Runs without a record have no name. */
  readonly names: ReadonlyMap<number, string>
  /** A sentence for each case in which data count as the same but may differ. */
  readonly doubts: readonly string[]
}

/**
 * Short names for the data of runs, as `iris as run 4`: the first run that read the same. If only some runs read a
 * dataset, and all of these read the same state, the name of the dataset is enough. Datasets have their present names.
 * @param runs the oldest first
 */
export function dataNames(workspace: Workspace, runs: readonly Run[]): DataNames {
  const { store, project } = workspace
  const states = new Map<string, State[]>()
  const firsts = new Map<number, Map<string, number>>()
  const listings = new Map<string, DataListing | null>()
  const listingOf = ({ listing }: Fingerprint) => {
    if (listing !== null && !listings.has(listing)) listings.set(listing, readListing(project, listing))
    return listing === null ? null : listings.get(listing)!
  }
  /** Null if the two differ. If they count as the same: what may differ all the same; empty if nothing may. */
  const sameBut = (one: Fingerprint, other: Fingerprint): string | null => {
    if (one.digest === other.digest && one.listing === other.listing) return ''
    // Digests do not tell the times of files.
    const [before, after] = [listingOf(one), listingOf(other)]
    // Without a listing only the digests tell, which say nothing about each other if the levels differ.
    if (!(before && after)) return one.level === other.level && one.digest !== other.digest ? null : ''
    const difference = compareListings(before, after)
    return isChanged(difference) ? null : differenceText(difference)
  }
  const recorded = store.reading(() => {
    const now = new DatasetsNow(workspace)
    return runs.map(({ id }) => ({
      id,
      names: now.namesOf(store.runs.definition(id)),
      fingerprints: store.data.of(id),
    }))
  })
  for (const { id, names, fingerprints } of recorded) {
    for (const [at, fingerprint] of fingerprints.entries()) {
      if (fingerprint.digest === null) continue
      const name = names[at]!
      const known = states.get(name) ?? []
      states.set(name, known)
      let state = known.find(each => {
        const but = sameBut(each.fingerprint, fingerprint)
        if (but) each.doubted.set(but, [...(each.doubted.get(but) ?? []), id])
        return but !== null
      })
      if (!state) {
        state = { run: id, fingerprint, doubted: new Map() }
        known.push(state)
      }
      firsts.set(id, (firsts.get(id) ?? new Map<string, number>()).set(name, state.run))
    }
  }
  const varied = new Set([...states].filter(([, each]) => each.length > 1).map(([name]) => name))
  const read = new Map(recorded.map(({ id, names }) => [id, names]))
  // The script is given them in their order.
  const isSame = new Set([...read.values()].map(names => JSON.stringify(names))).size <= 1
  const readers = new Map<string, number>()
  for (const name of [...read.values()].flat()) readers.set(name, (readers.get(name) ?? 0) + 1)
  const partly = new Set([...readers].filter(([, count]) => count < runs.length).map(([name]) => name))
  const some = isSame || partly.size > 0 ? partly : new Set(readers.keys())
  const named = runs.map(({ id }): [number, string] => {
    const names = read.get(id)!.flatMap(name => {
      const first = varied.has(name) ? firsts.get(id)?.get(name) : undefined
      if (first !== undefined) return [`${name} as run ${first}`]
      return some.has(name) ? [name] : []
    })
    return [id, names.join(', ')]
  })
  return {
    names: new Map(named.filter(([, text]) => text !== '')),
    doubts: [...states].flatMap(([name, each]) => each.flatMap(state => doubtTexts(name, state))),
  }
}

function doubtTexts(dataset: string, { run, doubted }: State): string[] {
  return [...doubted].map(([but, runs]) => {
    const others = `run${runs.length === 1 ? '' : 's'} ${fewInSentence(runs.map(String))}`
    return `${others} may have read another state of dataset ${dataset} than run ${run}: ${but} (same size, another time)`
  })
}
