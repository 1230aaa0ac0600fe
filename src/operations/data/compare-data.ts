import { compareListings, type DataDifference, differenceText, isChanged } from '../../domain/data/compare-listings.js'
import { type DataListing, type Fingerprint, levels, settingOf } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import { readListing } from '../../project/data/listings.js'
import { type ReadLimits, withoutUnreadable } from '../../project/data/read-data.js'
import { DatasetsNow, trashedWith } from '../registry/datasets-now.js'
import { findDataset } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type DataChange, listNow } from './data-now.js'

/** What a run recorded of a dataset, and how the dataset differs from it at another time. */
export interface ComparedData {
  readonly dataset: string
  readonly run: number
  readonly fingerprint: Fingerprint
  /** The run that recorded the other time; null for now. */
  readonly other: number | null
  readonly difference: DataDifference
  /** Why groups of these runs have perhaps read other data than was recorded when they were launched, a sentence each. */
  readonly notes: readonly string[]
}

const noLimits: ReadLimits = { until: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

/**
 * Compares a dataset with what a run recorded of it. All that the run has hashed is hashed again.
 * @param run null for the last one that recorded it
 * @throws UserError if there is nothing to compare with
 */
export async function verifyData(workspace: Workspace, name: string, run: Run | null): Promise<ComparedData> {
  const { id, fingerprint } = recordOf(workspace, name, run)
  const before = listingOf(workspace, id, fingerprint)
  const { path, from } = findDataset(workspace, name)
  if (path === null) {
    throw new UserError(
      `the dataset ${name} is made by ${from?.experiment}, and has no path of its own`,
      `qanat dataset diff ${name} RUN RUN        compares what two runs read of it`,
    )
  }
  const now = await listNow(workspace, name, settingOf(fingerprint), noLimits)
  if (now === null) {
    throw new OperationError(
      `the path of dataset ${name} is not on this machine: ${path}${trashedWith(workspace, path)}`,
      `qanat dataset update ${name}        tells another path`,
    )
  }
  const seen = withoutUnreadable(now, absolutePath(workspace, path))
  return {
    dataset: name,
    run: id,
    fingerprint,
    other: null,
    difference: compareListings(before, seen),
    notes: fingerprint.notes ?? [],
  }
}

/** Compares what two runs recorded of a dataset. @throws UserError if there is nothing to compare */
export function compareRuns(workspace: Workspace, name: string, one: Run, other: Run): ComparedData {
  const [first, second] = [recordOf(workspace, name, one), recordOf(workspace, name, other)]
  const [before, after] = [first, second].map(({ id, fingerprint }) => listingOf(workspace, id, fingerprint))
  return {
    dataset: name,
    run: first.id,
    fingerprint: weaker(first.fingerprint, second.fingerprint),
    other: second.id,
    difference: compareListings(before!, after!),
    notes: [first, second].flatMap(each => each.fingerprint.notes ?? []),
  }
}

/** The less exact of two fingerprints, which limits what could be compared. */
function weaker(one: Fingerprint, other: Fingerprint): Fingerprint {
  const strength = ({ level }: Fingerprint) => (level === 'off' ? -1 : levels.indexOf(level))
  return strength(other) < strength(one) ? other : one
}

/** A dataset that one of two runs has read, or both have, by the name that it has now. */
export interface DataOfTwo {
  readonly dataset: string
  /** The ids of the runs that have read it. */
  readonly readBy: readonly number[]
  /** Null if the files are not recorded of both. */
  readonly difference: DataDifference | null
}

/** How the datasets of two runs differ between them. */
export function dataOfTwo(workspace: Workspace, one: Run, other: Run): DataOfTwo[] {
  const { store, project } = workspace
  const reads = [one, other].map(({ id }) => {
    const names = new DatasetsNow(workspace).namesOf(store.runs.definition(id))
    return { id, names, listings: new Map(store.data.of(id).map(({ listing }, at) => [names[at], listing])) }
  })
  return [...new Set(reads.flatMap(({ names }) => names))].map(dataset => {
    const listings = reads.map(({ listings: recorded }) => readListing(project, recorded.get(dataset) ?? null))
    const isKnown = listings.every(each => each !== null)
    const readBy = reads.filter(({ names }) => names.includes(dataset)).map(({ id }) => id)
    return { dataset, readBy, difference: isKnown ? compareListings(listings[0]!, listings[1]!) : null }
  })
}

/** The datasets that differ between two runs, as far as both have recorded them. */
export function dataBetween(workspace: Workspace, one: Run, other: Run): Pick<DataChange, 'dataset' | 'difference'>[] {
  return dataOfTwo(workspace, one, other).flatMap(({ dataset, difference }) =>
    difference === null || differenceText(difference) === '' ? [] : [{ dataset, difference }],
  )
}

/** Whether data differ from what groups have read, or may differ in a part that cannot be compared. */
export function mayBeChanged({ difference, notes }: ComparedData): boolean {
  return isChanged(difference) || difference.unseen.length > 0 || notes.length > 0
}

/** What a run has recorded of a dataset. */
interface DataRecord {
  /** Of the run. */
  readonly id: number
  readonly fingerprint: Fingerprint
}

/** The last record of a dataset, if it has files or none has; null if no run has recorded it. */
export function lastRecord(workspace: Workspace, name: string): DataRecord | null {
  const { store } = workspace
  return store.reading(() => lastWithFiles(store.data.readers(), recordsBy(workspace, name)))
}

/** What runs have recorded of a dataset by the name that it has now, by their ids; null for nothing. */
function recordsBy(workspace: Workspace, name: string): (run: number) => Fingerprint | null {
  const { store } = workspace
  const now = new DatasetsNow(workspace)
  return id => store.data.of(id)[now.namesOf(store.runs.definition(id)).indexOf(name)] ?? null
}

function recordOf(workspace: Workspace, name: string, run: Run | null): DataRecord {
  if (run === null) {
    findDataset(workspace, name)
    const last = lastRecord(workspace, name)
    if (last) return last
    throw new UserError(
      `no run has recorded dataset ${name}`,
      'runs record the datasets of their experiment when they are launched',
    )
  }
  const { store } = workspace
  const found = recordsBy(workspace, name)(run.id)
  if (found) return { id: run.id, fingerprint: found }
  const data = store.data.of(run.id)
  const others = new DatasetsNow(workspace).namesOf(store.runs.definition(run.id)).slice(0, data.length).join(', ')
  throw new UserError(
    `run ${run.id} has not recorded dataset ${name}`,
    others === '' ? 'it has recorded no data' : `it has recorded ${others}`,
  )
}

/** The last record that has files; if none has, the last one. @param runs the newest first */
function lastWithFiles(runs: readonly number[], recordedBy: (run: number) => Fingerprint | null): DataRecord | null {
  let last: DataRecord | null = null
  for (const id of runs) {
    const fingerprint = recordedBy(id)
    if (fingerprint?.listing) return { id, fingerprint }
    if (fingerprint) last ??= { id, fingerprint }
  }
  return last
}

/** @throws OperationError if there is no listing */
function listingOf({ project }: Workspace, run: number, { name, listing, level, partial }: Fingerprint): DataListing {
  if (listing === null) {
    const reason = level === 'off' ? 'its fingerprint was off' : partial
    throw new OperationError(`run ${run} has recorded no files of dataset ${name}: ${reason}`)
  }
  const found = readListing(project, listing)
  if (found) return found
  throw new OperationError(`the files that run ${run} has recorded of dataset ${name} are no longer in .qanat/data`)
}
