import type { Attempt, NewAttempt, Submission } from '../domain/runs/launch.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

/** An attempt as it is stored: JSON is text, and true is 1. */
interface AttemptRow extends Pick<Attempt, 'attempt' | 'submitTemplate' | 'launched' | 'cancelled'> {
  readonly groups: string | null
  readonly resolved: string
  readonly launcher: string
  readonly complete: number
}

type SubmissionRow = Omit<Submission, 'data'> & { readonly attempt: number; readonly data: string }

/** Attempts of runs, and their submissions. */
export class AttemptTable extends Table {
  /** Attempts of a run that were not rolled back, in order. */
  of(run: number): Attempt[] {
    const columns =
      'attempt, groups, submit_template AS submitTemplate, resolved, launched, launcher, complete, cancelled'
    const all = `SELECT ${columns} FROM attempts WHERE run_id = ? AND NOT taken_back ORDER BY attempt`
    const submitted =
      'SELECT attempt, first, count, job AS id, data FROM submissions WHERE run_id = ? ORDER BY attempt, first'
    const read = () => [this.rows<AttemptRow>(all, run), this.rows<SubmissionRow>(submitted, run)] as const
    const [attempts, submissions] = this.connection.transaction(read)()
    return attempts.map(row => ({
      ...row,
      groups: row.groups === null ? null : storedJson<number[]>(row.groups, 'groups of an attempt', 'numbers'),
      resolved: storedJson(row.resolved, 'a submit template', 'mapping'),
      launcher: storedJson(row.launcher, 'the launcher of a run', 'any'),
      complete: row.complete === 1,
      submissions: submissions.filter(({ attempt }) => attempt === row.attempt).map(submissionOf),
    }))
  }

  /** The retries of runs, and the attempts that were cancelled. `groups` is how many the attempt has, null for all. */
  changes(): { run: number; attempt: number; groups: number | null; launched: number; cancelled: number | null }[] {
    return this.rows(`SELECT run_id AS run, attempt, json_array_length(groups) AS groups, launched, cancelled FROM attempts
      WHERE (attempt > 1 OR cancelled IS NOT NULL) AND NOT taken_back`)
  }

  /** The ids of runs that have more than one attempt. */
  retried(): number[] {
    return this.column('SELECT DISTINCT run_id FROM attempts WHERE attempt > 1 AND NOT taken_back')
  }

  /** Allocates the next attempt of a run, with a number that was never used. Call within a transaction. @returns the number */
  add(run: number, facts: NewAttempt): number {
    const last = this.value<number | null>('SELECT max(attempt) FROM attempts WHERE run_id = ?', run)
    const attempt = (last ?? 0) + 1
    this.put(run, { ...facts, attempt, complete: false, cancelled: null, submissions: [] })
    return attempt
  }

  /** Stores an attempt that was read from a run's folder. */
  put(run: number, { groups, resolved, launcher, submissions, ...attempt }: Attempt): void {
    const sql = `INSERT INTO attempts (run_id, attempt, groups, submit_template, resolved, launched, launcher, complete, cancelled)
      VALUES (@run, @attempt, @groups, @submitTemplate, @resolved, @launched, @launcher, @complete, @cancelled)`
    const texts = { groups: groups && JSON.stringify(groups), resolved: JSON.stringify(resolved) }
    const complete = Number(attempt.complete)
    this.change(sql, { ...attempt, run, ...texts, launcher: JSON.stringify(launcher), complete })
    for (const submission of submissions) this.addSubmission(run, attempt.attempt, submission)
  }

  /** Stores a submission; storing it again changes nothing. */
  addSubmission(run: number, attempt: number, { data, ...submission }: Submission): void {
    const sql = `INSERT OR REPLACE INTO submissions (run_id, attempt, first, count, job, data)
      VALUES (@run, @attempt, @first, @count, @id, @data)`
    this.change(sql, { run, attempt, ...submission, data: JSON.stringify(data) })
  }

  /**
   * Claims the next submission of an attempt, so that no other command makes it.
   * @param known how many submissions it has, as far as the caller knows
   * @returns false if another command makes one, or has made one since
   */
  reopen(run: number, attempt: number, known: number, launcher: unknown): boolean {
    const sql = `UPDATE attempts SET complete = 0, launcher = ? WHERE run_id = ? AND attempt = ? AND complete = 1 AND cancelled IS NULL
      AND (SELECT count(*) FROM submissions WHERE run_id = attempts.run_id AND attempt = attempts.attempt) = ?`
    return this.change(sql, JSON.stringify(launcher), run, attempt, known) === 1
  }

  /** Stores who launches an attempt that is not complete. */
  setLauncher(run: number, attempt: number, launcher: unknown): void {
    const sql = 'UPDATE attempts SET launcher = ? WHERE run_id = ? AND attempt = ?'
    this.change(sql, JSON.stringify(launcher), run, attempt)
  }

  setComplete(run: number, attempt: number): void {
    this.change('UPDATE attempts SET complete = 1 WHERE run_id = ? AND attempt = ?', run, attempt)
  }

  /** @param time when it was cancelled, in milliseconds since the epoch */
  setCancelled(run: number, attempt: number, time: number): void {
    const sql = 'UPDATE attempts SET cancelled = coalesce(cancelled, ?) WHERE run_id = ? AND attempt = ?'
    this.change(sql, time, run, attempt)
  }

  /** Rolls back an attempt of which nothing was submitted; its number is not used again. */
  takeBack(run: number, attempt: number): void {
    this.change('UPDATE attempts SET taken_back = 1 WHERE run_id = ? AND attempt = ?', run, attempt)
  }

  /** When the last attempt of a run was launched. */
  lastLaunch(id: number): number {
    return this.value<number>('SELECT max(launched) FROM attempts WHERE run_id = ?', id) ?? 0
  }

  /** The same, or when a group has started or ended since. */
  lastEvent(id: number): number {
    const sql = 'SELECT coalesce(max(coalesce(finished, started)), 0) FROM groups WHERE run_id = ?'
    return Math.max(this.lastLaunch(id), this.value<number>(sql, id)!)
  }
}

function submissionOf({ attempt: _, data, ...submission }: SubmissionRow): Submission {
  return { ...submission, data: storedJson(data, 'submissions', 'mapping') }
}
