import type { ActionRecord } from '../domain/action-record.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

/** The actions on runs, by run. What they have made can be found by its size and digest. */
export class ActionTable extends Table {
  /** Stores an action with each of its runs that exists, in place of an earlier state. Call within a transaction. */
  put(record: ActionRecord): void {
    const { id, started, finished, runs, made } = record
    const insert = 'INSERT OR REPLACE INTO actions SELECT id, ?, ?, ?, ? FROM runs WHERE token = ? RETURNING run_id'
    const text = JSON.stringify(record)
    for (const { token } of runs) {
      const run = this.value<number>(insert, id, started, finished, text, token)
      const there = run === undefined ? [] : made.filter(({ change }) => change !== 'removed')
      for (const { path, size, digest } of there)
        this.change('INSERT OR REPLACE INTO action_files VALUES (?, ?, ?, ?, ?)', run, id, path, size, digest)
    }
  }

  /** The actions on a run, also on one in the trash, or on all runs that are not deleted, the newest first. */
  list(run: number | null): ActionRecord[] {
    const sql = `SELECT record FROM actions JOIN runs ON runs.id = run_id
      WHERE iif(@run IS NULL, NOT deleted, run_id = @run) GROUP BY actions.id ORDER BY actions.started DESC, actions.id`
    return this.records(sql, { run })
  }

  /** How often each action was called on a run, the last one first. */
  calls(run: number): { action: string; times: number }[] {
    const sql = `SELECT json_extract(record, '$.action') AS action, count(*) AS times FROM actions WHERE run_id = ?
      GROUP BY action ORDER BY max(started) DESC, action`
    return this.rows(sql, run)
  }

  /** The actions on one of these runs that had not ended at a time. @param since milliseconds since the epoch */
  openSince(runs: readonly number[], since: number): ActionRecord[] {
    const sql = `SELECT record FROM actions WHERE run_id IN (SELECT value FROM json_each(@runs))
      AND (finished IS NULL OR finished >= @since) GROUP BY id`
    return this.records(sql, { runs: JSON.stringify(runs), since })
  }

  /** The files of a size that actions on runs have made and that were there when they ended, the newest first. */
  madeWithSize(size: number): { run: number; id: string; path: string; digest: string | null }[] {
    const sql = `SELECT run_id AS run, id, path, digest FROM action_files WHERE size = ? ORDER BY id DESC, run_id, path`
    return this.rows(sql, size)
  }

  private records(sql: string, values: Readonly<Record<string, unknown>>): ActionRecord[] {
    return this.column<string>(sql, values).map(text => storedJson(text, 'an action', 'mapping'))
  }
}
