import { readdirSync, statSync } from 'node:fs'
import { type GroupRecord, parseRecord } from '../../domain/runs/group-record.js'
import { journalName, journalOwner, recordsFolder } from '../layout.js'
import { endsOf } from './appended.js'

/** Bytes read from the end of a journal: more than the records of a hundred restarts. */
const tailSize = 65_536

/** The last complete record of a group in an attempt; null if there is none. */
export function lastRecord(storagePath: string, index: number, attempt: number): GroupRecord | null {
  const path = `${storagePath}/${recordsFolder}/${journalName(String(index), attempt)}`
  const lines = endsOf(path, tailSize)?.tail.split('\n').slice(0, -1) ?? []
  for (const line of lines.toReversed()) {
    const record = parseRecord(line)
    if (record) return record
  }
  return null
}

/** A folder that was changed this recently, in milliseconds, may change again without a new modification time. */
const racy = 3_000

/**
 * The groups with a journal.
 * @param seen modification time of the folder at an earlier refresh: if it is the same, there is no new journal
 * @returns null if there is no new journal; `modified` is `seen` of the next call, null if that has to list the folder
 */
export function journalsSince(
  storagePath: string,
  seen: number | null,
): { readonly owners: readonly { index: number; attempt: number }[] | null; readonly modified: number | null } {
  const folder = `${storagePath}/${recordsFolder}`
  const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  if (modified === undefined) return { owners: [], modified: null }
  if (modified === seen) return { owners: null, modified }
  // Listing a folder also makes a network file system refresh its cache.
  const owners = readdirSync(folder).flatMap(name => journalOwner(name) ?? [])
  return { owners, modified: Date.now() - modified > racy ? modified : null }
}
