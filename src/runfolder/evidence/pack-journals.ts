import { readdirSync } from 'node:fs'
import { type GroupRecord, parseRecord } from '../../domain/runs/group-record.js'
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
  const last = new Map(kept.map(each => [each.record.index, each]))
  for (const name of namesIn(`${storagePath}/${recordsFolder}`)) {
    const journal = packJournalOf(name)
    if (journal === null) continue
    const place = { offset: before?.read[name] ?? 0 }
    for (const piece of appended(`${storagePath}/${recordsFolder}/${name}`, place)) {
      for (const line of piece.split('\n')) {
        const record = parseRecord(line)
        if (record && !isBefore(journal, last.get(record.index)?.journal)) last.set(record.index, { record, journal })
      }
    }
    read[name] = place.offset
  }
  return { read, records: [...last.values()] }
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
