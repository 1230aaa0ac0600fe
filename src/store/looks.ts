import type { GroupReport } from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { type GroupRow, reportOfRow } from './group-rows.js'
import { storedJson } from './stored-json.js'

/** What a look at a live run begins with: the groups that may still change, and how far its files have been read. */
export class LookTable {
  constructor(private readonly connection: Connection) {}

  /** Groups that are more than pending and may still change, by index. */
  open(run: number): Map<number, GroupReport> {
    const byState = `SELECT * FROM groups WHERE run_id = @run AND state IN ('pending', 'running', 'held', 'lost')`
    const rows = this.connection
      .prepare(`${byState} UNION SELECT * FROM groups WHERE run_id = @run AND awaiting IS NOT NULL ORDER BY number`)
      .all({ run }) as GroupRow[]
    return new Map(rows.map(row => [row.number, reportOfRow(row)]))
  }

  /**
   * The groups of a run whose end is certain, by index.
   * @param groupCount of the run
   * @param open the groups that may still change, see {@link open}
   */
  settled(run: number, groupCount: number, open: ReadonlyMap<number, GroupReport>): { has(index: number): boolean } {
    const isSettled = new Uint8Array(groupCount)
    // The index has all that is asked for: a run of 100,000 groups is read without its rows.
    const ended = this.connection.prepare('SELECT number FROM groups WHERE run_id = ? AND state = ?').pluck()
    for (const state of ['finished', 'failed', 'cancelled']) {
      for (const index of ended.all(run, state) as number[]) isSettled[index] = 1
    }
    for (const index of open.keys()) isSettled[index] = 0
    return { has: index => isSettled[index] === 1 }
  }

  /** A group as it is stored; null for one that is pending and never was more. */
  group(run: number, index: number): GroupReport | null {
    const row = this.connection.prepare('SELECT * FROM groups WHERE run_id = ? AND number = ?').get(run, index)
    return row ? reportOfRow(row as GroupRow) : null
  }

  /** How far the files of a run have been read, as {@link setCursor} stored it; null before the first look. */
  cursor(run: number): string | null {
    const text = this.connection.prepare('SELECT cursor FROM looks WHERE run_id = ?').pluck().get(run)
    return (text as string | undefined) ?? null
  }

  /** Reads what {@link cursor} returns. */
  readCursor(text: string | null): Readonly<Record<string, unknown>> | null {
    return text === null ? null : storedJson(text, 'how far the files of a run were read', 'mapping')
  }

  setCursor(run: number, cursor: string): void {
    this.connection.prepare('INSERT OR REPLACE INTO looks (run_id, cursor) VALUES (?, ?)').run(run, cursor)
  }

  /** Nothing more is expected of the run. */
  forgetCursor(run: number): void {
    this.connection.prepare('DELETE FROM looks WHERE run_id = ?').run(run)
  }
}
