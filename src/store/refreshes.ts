import type { GroupsOfRun } from '../domain/runs/judge-run.js'
import type { GroupReport } from '../domain/runs/run.js'
import { readReports } from './rows/group-rows.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

/** What a refresh of a live run starts from: the groups that may still change, and how far its files have been read. */
export class RefreshTable extends Table {
  /** The groups of a run by index. Reports of those that may still change are read if one is asked for. */
  groups(run: number, groupCount: number): GroupsOfRun {
    const live = `state IN ('pending', 'running', 'held', 'lost')`
    const ended = `state IN ('finished', 'failed', 'cancelled')`
    // Without the names of the indices, the database would read all groups of the run, twice.
    const parts = [
      `INDEXED BY groups_by_state WHERE run_id = ? AND ${live}`,
      `INDEXED BY awaiting_groups WHERE run_id = ? AND awaiting IS NOT NULL AND NOT ${live}`,
    ]
    const kinds = new Uint8Array(groupCount)
    const [settled, open] = [1, 2]
    for (const index of this.numbers(`INDEXED BY groups_by_state WHERE run_id = ? AND ${ended}`, run))
      kinds[index] = settled
    const found = parts.map(part => this.numbers(part, run))
    for (const index of found.flat()) kinds[index] = open
    const isOpen = (index: number) => kinds[index] === open
    let reports: ReadonlyMap<number, GroupReport> | null = null
    const read = () => {
      reports ??= new Map(
        parts.flatMap(part => readReports(this.connection, part, run)).map(each => [each.index, each]),
      )
      return reports
    }
    return {
      open: {
        size: found.reduce((sum, { length }) => sum + length, 0),
        has: isOpen,
        keys: () => found.flat().values(),
        get: index => (isOpen(index) ? read().get(index) : undefined),
        values: () => read().values(),
      },
      settled: { has: index => kinds[index] === settled },
    }
  }

  /** Indices of groups. An index of the database covers the query, and one long text is read in less than half the time of rows. */
  private numbers(part: string, run: number): number[] {
    return JSON.parse(this.value(`SELECT json_group_array(number) FROM groups ${part}`, run)!)
  }

  /** The stored report of a group; null for a group that has never been anything but pending. */
  group(run: number, index: number): GroupReport | null {
    return readReports(this.connection, 'WHERE run_id = ? AND number = ?', run, index)[0] ?? null
  }

  /** How far the files of a run have been read, as stored by {@link setCursor}; null before the first refresh. */
  cursor(run: number): string | null {
    return this.value('SELECT cursor FROM refreshes WHERE run_id = ?', run) ?? null
  }

  /** Parses the result of {@link cursor}. */
  readCursor(text: string | null): Readonly<Record<string, unknown>> | null {
    return text === null ? null : storedJson(text, 'how far the files of a run were read', 'mapping')
  }

  setCursor(run: number, cursor: string): void {
    this.change('INSERT OR REPLACE INTO refreshes (run_id, cursor) VALUES (?, ?)', run, cursor)
  }

  /** Call when the run can no longer change. */
  forgetCursor(run: number): void {
    this.change('DELETE FROM refreshes WHERE run_id = ?', run)
  }
}
