import { leavesGroups, type PackedJob, stateInPack } from '../../domain/packs/judge-pack.js'
import type { GroupRecord } from '../../domain/runs/group-record.js'
import type { Evidence, UnreachedJobs } from '../../domain/runs/judge-run.js'
import { spanOf } from '../../domain/runs/launch.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { type FolderVersion, journalsSince, lastRecord } from '../../runfolder/evidence/group-journals.js'
import { jobKey, type PackCursor, readPackJournals } from '../../runfolder/evidence/pack-journals.js'
import { hasLaunchFiles } from '../../runfolder/evidence/submissions.js'
import { textOfRecord } from '../record-text.js'
import type { JobHandle, News, PolledRun, Witness } from '../types.js'
import { indicesOf, type Location, locate, locateLast, packSize, unsettledTasks } from './locate.js'

/** New records in the journals of a run on a scheduler. */
export interface JobNews extends News {
  readonly cursor: JobCursor
  /** The last record of each group that is open, or has a journal since the last refresh; by index. */
  readonly records: ReadonlyMap<number, GroupRecord>
}

/** Where the last refresh of the journals ended. */
export interface JobCursor {
  /** Their folder as it was found. */
  readonly folder: FolderVersion | null
  /** Missing if no job has several groups. */
  readonly packs?: PackCursor
}

/** To list the folder of the journals takes less time than to look for those of more groups than this. */
const mostLookedFor = 500

/**
 * Reads the journals of the groups that are not settled: each is a few lines. A pending group has no journal, so the
 * folder is listed only if it has changed.
 */
export function jobNews(run: PolledRun): JobNews {
  if (run.handles.every(handle => packSize(handle) === null)) return newsOfGroups(run)
  const { packs: before = null } = (run.cursor as JobCursor | null) ?? {}
  const packs = readPackJournals(run.place.here, before, index => !run.settled.has(index))
  const { cursor, records } = newsOfGroups(run)
  const all = new Map(records)
  for (const { record } of packs.records)
    if (record.attempt === run.attemptOf(record.index)) all.set(record.index, record)
  return { cursor: { ...cursor, packs }, records: all }
}

function newsOfGroups({ place: { here }, open, settled, attemptOf, cursor }: PolledRun): JobNews {
  const seen = open.size > mostLookedFor ? null : ((cursor as JobCursor | null)?.folder ?? null)
  const { owners, seen: folder } = journalsSince(here, seen)
  const started = owners?.flatMap(({ index, attempt }) =>
    settled.has(index) || attempt !== attemptOf(index) ? [] : [index],
  )
  const records = new Map<number, GroupRecord>()
  for (const index of started ?? open.keys()) {
    const record = lastRecord(here, index, attemptOf(index))
    if (record) records.set(index, record)
  }
  return { cursor: { folder }, records }
}

/**
 * Combines the journals with the scheduler's answers about submitted groups.
 * @param answers a text that is the same only if the answers mean the same; none if that is not known
 */
export function jobEvidence(
  run: PolledRun,
  { records, cursor }: JobNews,
  answered: boolean,
  stateAt: (location: Location) => SchedulerState | null,
  isQueued: (location: Location) => boolean,
  answers?: string,
): Evidence {
  const told = (location: Location) => toldOf(run, cursor, location)
  const isPacked = cursor.packs !== undefined
  const unreached = answered && isPacked ? unreachedJobs(run, records, stateAt, told) : []
  const isKnown = answered && answers !== undefined && unreached.length === 0
  return {
    answered,
    unreached,
    ...(isKnown && { digest: JSON.stringify([answers, [...run.partial], [...records], cursor.packs?.jobs]) }),
    record: (index, attempt) => {
      const record = records.get(index)
      return record?.attempt === attempt ? record : null
    },
    job(index, attempt) {
      const record = records.get(index) ?? null
      // A later job may have the others of its groups.
      const begun = isPacked && record?.attempt === attempt ? record.jobId : null
      const location = locate(run.handles, index, attempt, begun)
      if (location && packSize(location.handle) !== null) return stateInPack(stateAt(location), record, told(location))
      if (location) return stateAt(location)
      return run.partial.has(attempt) || run.foreign.has(attempt) ? null : { kind: 'unsubmitted' }
    },
    isQueued(index, attempt) {
      const location = locate(run.handles, index, attempt)
      if (location === null) return false
      // Most groups of a live job may have ended: one that its job has taken up again has a new record.
      return packSize(location.handle) === null ? isQueued(location) : records.has(index)
    },
  }
}

/** What the journals tell of the job of a group. */
function toldOf(run: PolledRun, { packs }: JobCursor, { handle, task }: Location): PackedJob {
  const { first, pack, jobs } = spanOf(handle)
  const generation = jobs === null ? 0 : Number(handle.data.generation)
  const facts = packs?.jobs[jobKey(handle.attempt, first + task * (pack ?? 1), generation)]
  return {
    hasEnded: facts?.ended ?? false,
    isOver: facts?.over ?? false,
    isCancelled: run.isCancelled(handle.attempt),
  }
}

/** The jobs of many groups that are over, have ended a group, and have not reached all of them. */
function unreachedJobs(
  run: PolledRun,
  records: JobNews['records'],
  stateAt: (location: Location) => SchedulerState | null,
  told: (location: Location) => PackedJob,
): UnreachedJobs[] {
  return run.handles.flatMap(handle => {
    if (packSize(handle) === null || run.isCancelled(handle.attempt) || run.partial.has(handle.attempt)) return []
    const waits = (index: number) =>
      !run.settled.has(index) && !records.has(index) && run.attemptOf(index) === handle.attempt
    let groups = 0
    const jobs = [...unsettledTasks(run, handle)].filter(task => {
      const waiting = [...indicesOf(handle, task)].filter(waits)
      const location = waiting.length === 0 ? null : locate(run.handles, waiting[0]!, handle.attempt)
      if (location?.handle !== handle) return false
      const state = stateAt(location)
      if (state === null || !leavesGroups(state, told(location)) || !told(location).hasEnded) return false
      groups += waiting.length
      return true
    })
    return jobs.length > 0 ? [{ attempt: handle.attempt, first: handle.first, jobs, groups }] : []
  })
}

/** The last job of a group, of those that may have begun it. */
export function lastLocation(handles: readonly JobHandle[], index: number): Location | null {
  const packed = handles.find(handle => packSize(handle) !== null)
  const { records = [] } = packed ? readPackJournals(packed.place.here, null, () => true) : {}
  const found = records.find(({ record }) => record.index === index)?.record
  return locateLast(handles, index, attempt => (found?.attempt === attempt ? found.jobId : null))
}

/** What the journal of a group says, in words, and which slot of its job has the group. */
export function recordWitnesses({ handle, task, index }: Location): Witness[] {
  const { place, attempt } = handle
  const size = packSize(handle)
  if (size === null) return [{ name: 'exit record', text: textOf(lastRecord(place.here, index, attempt), handle) }]
  const { records } = readPackJournals(place.here, null, () => true)
  const found = records.find(({ record, journal }) => record.index === index && journal.attempt === attempt)
  const [first, ...others] = indicesOf(handle, task)
  const groups =
    others.length === 0 ? `group ${first}` : `${others.length + 1} groups from ${first} to ${others.at(-1)}`
  const slot = found ? `, in slot ${found.journal.slot}` : ', and no slot has taken this one'
  return [
    { name: 'its job', text: `has ${groups}${slot}` },
    { name: 'exit record', text: textOf(found?.record ?? null, handle) },
  ]
}

function textOf(record: GroupRecord | null, { place, attempt }: JobHandle): string {
  const isGone = record === null && !hasLaunchFiles(place.here, attempt)
  const gone = 'none: the files that start the job are gone; an earlier start of its script may have removed them'
  return isGone ? gone : textOfRecord(record)
}
