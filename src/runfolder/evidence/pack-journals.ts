import { readdirSync } from 'node:fs'
import { type GroupRecord, hasEndedByItself, parseRecord } from '../../domain/runs/group-record.js'
import { type PackJournal, packJournalOf, recordsFolder } from '../layout.js'
import { appended } from './appended.js'

/** The last record of a group in a job of many groups, and where it stands. */
interface PackedRecord {
  readonly record: GroupRecord
  readonly journal: PackJournal
}

/** How far the journals in jobs of many groups have been read, as JSON. */
export interface PackCursor {
  /** In bytes, by the names of the journals. */
  readonly read: Readonly<Record<string, number>>
  /** The last record of each group that has one, and that is not settled, by index. */
  readonly records: readonly PackedRecord[]
  /** By {@link jobKey}. */
  readonly jobs: Readonly<Record<string, JobFacts>>
}

/** What the journals tell of a job. */
interface JobFacts {
  /** Whether a group has come to its end in it. */
  readonly ended?: true
  /** Whether it has said that it takes no further group. */
  readonly over?: true
}

/** What a job is known by in the journals. @param first position of its first group @param generation of the job */
export function jobKey(attempt: number, first: number, generation: number): string {
  return [attempt, first, generation].join('.')
}

/**
 * Reads what was added to the journals in jobs of many groups: one for each slot of each start of a job.
 * @param storagePath absolute folder of the run
 * @param before the result of the last call, null for the first
 * @param isOpen whether an earlier record of a group still matters
 */
export function readPackJournals(
  storagePath: string,
  before: PackCursor | null,
  isOpen: (index: number) => boolean,
): PackCursor {
  const read: Record<string, number> = {}
  const kept = (before?.records ?? []).filter(({ record }) => isOpen(record.index))
  const jobs: Record<string, JobFacts> = { ...before?.jobs }
  const last = new Map(kept.map(each => [each.record.index, each]))
  for (const name of namesIn(`${storagePath}/${recordsFolder}`)) {
    const journal = packJournalOf(name)
    if (journal === null) continue
    const place = { offset: before?.read[name] ?? 0 }
    const key = jobKey(journal.attempt, journal.first, journal.order[0])
    const tell = (facts: JobFacts) => {
      jobs[key] = { ...jobs[key], ...facts }
    }
    for (const piece of appended(`${storagePath}/${recordsFolder}/${name}`, place)) {
      for (const line of piece.split('\n')) {
        if (line.startsWith('1 over ')) tell({ over: true })
        const record = parseRecord(line)
        if (record && hasEndedByItself(record)) tell({ ended: true })
        if (record && !isBefore(journal, last.get(record.index)?.journal)) last.set(record.index, { record, journal })
      }
    }
    read[name] = place.offset
  }
  return { read, records: [...last.values()], jobs }
}

function isBefore(one: PackJournal, other: PackJournal | undefined): boolean {
  if (other === undefined) return false
  const [a, b] = [one, other].map(({ attempt, order }) => [attempt, ...order])
  const at = a!.findIndex((number, place) => number !== b![place])
  return at >= 0 && a![at]! < b![at]!
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
