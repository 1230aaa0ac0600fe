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

/** A folder as it was found at a refresh, as JSON. */
export interface FolderVersion {
  /** Its modification time, which is only compared: another clock may have set it. */
  readonly modified: number
  /** When it was first found with it, by our clock; null once it was listed so long after that as to have all of it. */
  readonly since: number | null
}

/**
 * The groups with a journal.
 * @param seen the folder as an earlier refresh found it; null to list it in any case
 * @returns null if there is no new journal; `seen` of the next call
 */
export function journalsSince(
  storagePath: string,
  seen: FolderVersion | null,
): { readonly owners: readonly { index: number; attempt: number }[] | null; readonly seen: FolderVersion | null } {
  const folder = `${storagePath}/${recordsFolder}`
  const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  if (modified === undefined) return { owners: [], seen: null }
  const now = Date.now()
  const since = seen?.modified === modified ? seen.since : now
  if (since === null) return { owners: null, seen }
  // Listing a folder also makes a network file system refresh its cache.
  const owners = readdirSync(folder).flatMap(name => journalOwner(name) ?? [])
  return { owners, seen: { modified, since: now - since > racy ? null : since } }
}
