import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type GroupRecord, parseRecord } from '../../domain/runs/group-record.js'
import { recordsFolder } from '../../runfolder/layout.js'

/** Name of the journal of a group: each launch has its own, so that an earlier one cannot be taken for it. */
export function journalName(index: string, attempt: number): string {
  return attempt === 1 ? index : `${index}.${attempt}`
}

/** What the jobs of a run have recorded: a journal for each group that has started. */
export class GroupRecords {
  private readonly folder: string
  private readonly started: ReadonlySet<string>

  /** @param storagePath absolute folder of the run */
  constructor(storagePath: string) {
    this.folder = `${storagePath}/${recordsFolder}`
    // Listing a folder also makes a network file system look for what is new in it.
    this.started = new Set(existsSync(this.folder) ? readdirSync(this.folder) : [])
  }

  /** The last thing that was recorded of a group in a launch. A line that was cut by a crash does not count. */
  last(index: number, attempt: number): GroupRecord | null {
    const name = journalName(String(index), attempt)
    if (!this.started.has(name)) return null
    const lines = readFileSync(`${this.folder}/${name}`, 'utf8').split('\n').slice(0, -1)
    for (const line of lines.toReversed()) {
      const record = parseRecord(line)
      if (record) return record
    }
    return null
  }
}
