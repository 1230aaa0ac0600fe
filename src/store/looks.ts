import type { OpenGroups } from '../domain/runs/judge-run.js'
import type { GroupReport } from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { readReports } from './group-rows.js'
import { storedJson } from './stored-json.js'

/** What a refresh of a live run starts from: the groups that may still change, and how far its files have been read. */
export class LookTable {
  constructor(private readonly connection: Connection) {}

  /** Groups with a row (beyond pending) that may still change, by index. Their reports are read if one is asked for. */
  open(run: number): OpenGroups {
    const live = `state IN ('pending', 'running', 'held', 'lost')`
    // Without the names of the indices, the database would read all groups of the run, twice.
    const parts = [
      `INDEXED BY groups_by_state WHERE run_id = ? AND ${live}`,
      `INDEXED BY awaiting_groups WHERE run_id = ? AND awaiting IS NOT NULL AND NOT ${live}`,
    ]
    const numbersOf = (part: string) => this.connection.prepare(`SELECT number FROM groups ${part}`).pluck().all(run)
    const numbers = new Set(parts.flatMap(part => numbersOf(part) as number[]))
    let reports: ReadonlyMap<number, GroupReport> | null = null
    const read = () => {
      reports ??= new Map(
        parts.flatMap(part => readReports(this.connection, part, run)).map(each => [each.index, each]),
      )
      return reports
    }
    return {
      size: numbers.size,
      has: index => numbers.has(index),
      keys: () => numbers.keys(),
      get: index => (numbers.has(index) ? read().get(index) : undefined),
      values: () => read().values(),
    }
  }

  /**
   * The groups of a run whose end is final, by index.
   * @param groupCount of the run
   * @param open the groups that may still change, see {@link open}
   */
  settled(run: number, groupCount: number, open: OpenGroups): { has(index: number): boolean } {
    const isSettled = new Uint8Array(groupCount)
    // The index covers this query, so that a run of 100,000 groups is read without its rows.
    const sql = `SELECT json_group_array(number) FROM groups WHERE run_id = ? AND state IN ('finished', 'failed', 'cancelled')`
    const ended = this.connection.prepare(sql).pluck().get(run) as string
    // One long text is read in less than half the time that rows take.
    for (const index of JSON.parse(ended) as number[]) isSettled[index] = 1
    for (const index of open.keys()) isSettled[index] = 0
    return { has: index => isSettled[index] === 1 }
  }

  /** The stored report of a group; null for a group that was never more than pending. */
  group(run: number, index: number): GroupReport | null {
    return readReports(this.connection, 'WHERE run_id = ? AND number = ?', run, index)[0] ?? null
  }

  /** How far the files of a run have been read, as stored by {@link setCursor}; null before the first refresh. */
  cursor(run: number): string | null {
    const text = this.connection.prepare('SELECT cursor FROM looks WHERE run_id = ?').pluck().get(run)
    return (text as string | undefined) ?? null
  }

  /** Parses the result of {@link cursor}. */
  readCursor(text: string | null): Readonly<Record<string, unknown>> | null {
    return text === null ? null : storedJson(text, 'how far the files of a run were read', 'mapping')
  }

  setCursor(run: number, cursor: string): void {
    this.connection.prepare('INSERT OR REPLACE INTO looks (run_id, cursor) VALUES (?, ?)').run(run, cursor)
  }

  /** Call when the run can no longer change. */
  forgetCursor(run: number): void {
    this.connection.prepare('DELETE FROM looks WHERE run_id = ?').run(run)
  }
}
