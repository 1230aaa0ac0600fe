import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type GroupRecord, parseRecord } from '../../domain/group-record.js'
import { recordsFolder } from '../run-folder.js'

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

  /** The last thing that was recorded of a group. A line without its newline was cut by a crash and does not count. */
  last(index: number): GroupRecord | null {
    if (!this.started.has(String(index))) return null
    const lines = readFileSync(`${this.folder}/${index}`, 'utf8').split('\n').slice(0, -1)
    for (const line of lines.toReversed()) {
      const record = parseRecord(line)
      if (record) return record
    }
    return null
  }
}
