import type { GroupRecord } from '../../domain/runs/group-record.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import type { QueueWord } from '../../domain/runs/verdicts.js'
import { journalsSince, lastRecord } from '../../runfolder/evidence/group-journals.js'
import type { AskedRun, News } from '../types.js'
import { type Location, locate } from './locate.js'

/** What the journals of a scheduler's run say. */
export interface JobNews extends News {
  readonly cursor: JobCursor
  /** The last record of each group that is open, or has a journal since the last look; by index. */
  readonly records: ReadonlyMap<number, GroupRecord>
}

/** Where the last look at the journals ended. */
export interface JobCursor {
  /** Time of change of their folder. */
  readonly modified: number | null
}

/**
 * Reads the journals of the groups that are not settled: each is a few lines. The folder is listed only where it has changed,
 * since a group that waits has no journal.
 */
export function jobNews({ storagePath, open, settled, attemptOf, cursor }: AskedRun): JobNews {
  const seen = (cursor as JobCursor | null)?.modified ?? null
  const { owners, modified } = journalsSince(storagePath, seen)
  const known = [...open.keys()].map(index => ({ index, attempt: attemptOf(index) }))
  const started = (owners ?? []).filter(({ index, attempt }) => !settled.has(index) && attempt === attemptOf(index))
  const records = new Map<number, GroupRecord>()
  for (const { index, attempt } of owners === null ? known : started) {
    const record = lastRecord(storagePath, index, attempt)
    if (record) records.set(index, record)
  }
  return { cursor: { modified }, records }
}

/** Puts together what journals say and what a scheduler says, which was asked for the groups that were submitted. */
export function jobEvidence(
  run: AskedRun,
  { records }: JobNews,
  answered: boolean,
  wordAt: (location: Location) => QueueWord | null,
  isQueued: (location: Location) => boolean,
): Evidence {
  return {
    answered,
    record: (index, attempt) => {
      const record = records.get(index)
      return record?.attempt === attempt ? record : null
    },
    word(index, attempt) {
      const location = locate(run.handles, index, attempt)
      if (location) return wordAt(location)
      return run.partial.has(attempt) ? null : { kind: 'unsubmitted' }
    },
    isQueued(index, attempt) {
      const location = locate(run.handles, index, attempt)
      return location !== null && isQueued(location)
    },
  }
}
