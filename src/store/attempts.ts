import type { Attempt, NewAttempt, Submission } from '../domain/runs/launch.js'
import type { Connection } from './database.js'
import { storedJson } from './stored-json.js'

interface AttemptRow {
  readonly attempt: number
  readonly groups: string | null
  readonly submit_template: string | null
  readonly resolved: string
  readonly launched: number
  readonly launcher: string
  readonly complete: number
  readonly cancelled: number | null
}

interface SubmissionRow {
  readonly attempt: number
  readonly first: number
  readonly count: number
  readonly job: string
  readonly data: string
}

/** Attempts of runs, and their submissions. */
export class AttemptTable {
  constructor(private readonly connection: Connection) {}

  /** Attempts of a run that were not rolled back, in order. */
  of(run: number): Attempt[] {
    const { attempts, submissions } = this.connection.transaction(() => this.rowsOf(run))()
    return attempts.map(row => ({
      attempt: row.attempt,
      groups: row.groups === null ? null : storedJson<number[]>(row.groups, 'groups of an attempt', 'numbers'),
      submitTemplate: row.submit_template,
      resolved: storedJson(row.resolved, 'a submit template', 'mapping'),
      launched: row.launched,
      launcher: storedJson(row.launcher, 'the launcher of a run', 'any'),
      complete: row.complete === 1,
      cancelled: row.cancelled,
      submissions: submissions.filter(({ attempt }) => attempt === row.attempt).map(submissionOf),
    }))
  }

  /** The ids of runs that have more than one attempt. */
  retried(): number[] {
    const sql = 'SELECT DISTINCT run_id FROM attempts WHERE attempt > 1 AND NOT taken_back'
    return this.connection.prepare(sql).pluck().all() as number[]
  }

  private rowsOf(run: number): { attempts: AttemptRow[]; submissions: SubmissionRow[] } {
    const attempts = 'SELECT * FROM attempts WHERE run_id = ? AND NOT taken_back ORDER BY attempt'
    const submissions = 'SELECT * FROM submissions WHERE run_id = ? ORDER BY attempt, first'
    return {
      attempts: this.connection.prepare(attempts).all(run) as AttemptRow[],
      submissions: this.connection.prepare(submissions).all(run) as SubmissionRow[],
    }
  }

  /** Allocates the next attempt of a run, with a number that was never used. Call within a transaction. @returns the number */
  add(run: number, facts: NewAttempt): number {
    const last = this.connection.prepare('SELECT max(attempt) FROM attempts WHERE run_id = ?').pluck().get(run)
    const attempt = ((last as number | null) ?? 0) + 1
    this.put(run, { ...facts, attempt, complete: false, cancelled: null, submissions: [] })
    return attempt
  }

  /** Stores an attempt that was read from a run's folder. */
  put(run: number, { groups, resolved, launcher, submissions, ...attempt }: Attempt): void {
    const sql = `INSERT INTO attempts (run_id, attempt, groups, submit_template, resolved, launched, launcher, complete, cancelled)
      VALUES (@run, @attempt, @groups, @submitTemplate, @resolved, @launched, @launcher, @complete, @cancelled)`
    this.connection.prepare(sql).run({
      ...attempt,
      run,
      groups: groups && JSON.stringify(groups),
      resolved: JSON.stringify(resolved),
      launcher: JSON.stringify(launcher),
      complete: Number(attempt.complete),
    })
    for (const submission of submissions) this.addSubmission(run, attempt.attempt, submission)
  }

  /** Stores a submission; storing it again changes nothing. */
  addSubmission(run: number, attempt: number, { first, count, id, data }: Submission): void {
    const sql =
      'INSERT OR REPLACE INTO submissions (run_id, attempt, first, count, job, data) VALUES (?, ?, ?, ?, ?, ?)'
    this.connection.prepare(sql).run(run, attempt, first, count, id, JSON.stringify(data))
  }

  /** Marks an attempt as completely submitted. */
  setComplete(run: number, attempt: number): void {
    this.connection.prepare('UPDATE attempts SET complete = 1 WHERE run_id = ? AND attempt = ?').run(run, attempt)
  }

  /** @param time when it was cancelled, in milliseconds since the epoch */
  setCancelled(run: number, attempt: number, time: number): void {
    const sql = 'UPDATE attempts SET cancelled = coalesce(cancelled, ?) WHERE run_id = ? AND attempt = ?'
    this.connection.prepare(sql).run(time, run, attempt)
  }

  /** Rolls back an attempt of which nothing was submitted; its number is not used again. */
  takeBack(run: number, attempt: number): void {
    this.connection.prepare('UPDATE attempts SET taken_back = 1 WHERE run_id = ? AND attempt = ?').run(run, attempt)
  }
}

function submissionOf({ first, count, job, data }: SubmissionRow): Submission {
  return { first, count, id: job, data: storedJson(data, 'submissions', 'mapping') }
}
