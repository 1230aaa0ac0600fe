import { readdirSync, statSync } from 'node:fs'
import { type GroupRecord, parseRecord } from '../../domain/runs/group-record.js'
import { journalName, journalOwner, recordsFolder } from '../layout.js'
import { endsOf } from './appended.js'

/** More than all records of a group that was restarted a hundred times, in bytes. */
const tailSize = 65_536

/** The last record that the jobs of a group have made in an attempt; null where there is none, or only a line that was cut. */
export function lastRecord(storagePath: string, index: number, attempt: number): GroupRecord | null {
  const path = `${storagePath}/${recordsFolder}/${journalName(String(index), attempt)}`
  const lines = endsOf(path, tailSize)?.tail.split('\n').slice(0, -1) ?? []
  for (const line of lines.toReversed()) {
    const record = parseRecord(line)
    if (record) return record
  }
  return null
}

/** A folder that was changed this recently, in milliseconds, may change again without another time of change. */
const racy = 3_000

/**
 * The groups that have a journal of their own.
 * @param seen time of change of the folder at an earlier look: where it is the same, there is nothing new
 * @returns null where no journal is new since; `modified` is for the next look, null where it has to look again
 */
export function journalsSince(
  storagePath: string,
  seen: number | null,
): { readonly owners: readonly { index: number; attempt: number }[] | null; readonly modified: number | null } {
  const folder = `${storagePath}/${recordsFolder}`
  const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  if (modified === undefined) return { owners: [], modified: null }
  if (modified === seen) return { owners: null, modified }
  // Listing a folder also makes a network file system look for what is new in it.
  const owners = readdirSync(folder).flatMap(name => journalOwner(name) ?? [])
  return { owners, modified: Date.now() - modified > racy ? modified : null }
}
