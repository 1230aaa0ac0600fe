import type { BestMetric } from '../domain/results/best.js'
import type { Direction, ExpectedResults, Metrics } from '../domain/results/metrics.js'
import { type MetricsList, metricsText, parseMetrics } from '../domain/results/metrics-text.js'
import type { Problem } from '../domain/results/reading/found.js'
import type { GroupState } from '../domain/runs/run.js'
import type { GroupsWithoutFiles } from '../domain/runs/run-plan.js'
import { keepInMemory } from './database.js'
import type { QueryView, SqlValue } from './queries/query-view.js'
import { Table } from './rows/table.js'

/** A finished group whose files have not been read since it finished. The other members tell its execution from earlier ones. */
export interface Unread {
  readonly index: number
  readonly attempt: number
  readonly restarts: number
  /** Milliseconds since the epoch; null if it is not known. */
  readonly finished: number | null
}

/**
 * Whether a reading is of the execution of the group that counts. The end matters, too: a group may be requeued and end again
 * before the scheduler is asked how often it was started.
 */
export const isOfExecution = `state = 'finished' AND readings.attempt = groups.attempt AND readings.restarts = groups.restarts
  AND readings.finished IS groups.finished`

/** What was read from the files of a group. */
export interface Reading extends Unread {
  readonly metrics: Metrics
  readonly warnings: readonly Problem[]
}

/** Groups that have been more than pending: the n-th value of each column belongs to the n-th group. */
interface EndedGroups {
  /** Their indexes, which ascend. */
  readonly numbers: readonly number[]
  readonly states: readonly GroupState[]
  readonly causes: readonly (string | null)[]
  /** Milliseconds; null if they are not known. */
  readonly durations: readonly (number | null)[]
  /** Empty for a group that has not finished, or that has not been read. */
  readonly metrics: MetricsList
  /** Null if it is not asked for. What is not known is null. */
  readonly usage: {
    /** Milliseconds since the epoch. */
    readonly starts: readonly (number | null)[]
    /** Bytes. */
    readonly peakMemory: readonly (number | null)[]
    /** Seconds. */
    readonly cpuTimes: readonly (number | null)[]
  } | null
}

/** Of the table of readings. */
export const readingColumns = ['run_id', 'number', 'attempt', 'restarts', 'finished', 'metrics'] as const

/** Warnings on readings that were kept. A group with the second one counts as unread. */
const earlier = {
  gone: 'its files are gone, and its metrics were declared otherwise when they were read',
  unreadable: 'its folder could not be read again, and its metrics are those that were read before',
}

const tables = ['readings', 'reading_warnings', 'read_sources', 'best_metrics']

/** The metrics of groups, as they were read from their files. */
export class ReadingTable extends Table {
  private isInMemory = false

  /**
   * The finished groups of a run that have to be read, in their order.
   * @param after only groups with a larger index
   * @param limit how many at most
   */
  unread(run: number, after = -1, limit = Number.MAX_SAFE_INTEGER): Unread[] {
    if (this.areAllRead(run)) return []
    const sql = `SELECT number AS "index", groups.attempt, groups.restarts, groups.finished
      FROM groups LEFT JOIN readings USING (run_id, number)
      WHERE run_id = ? AND number > ? AND state = 'finished' AND (readings.number IS NULL OR NOT (${isOfExecution}) OR EXISTS (
        SELECT 1 FROM reading_warnings AS known
        WHERE known.run_id = groups.run_id AND known.number = groups.number AND warning = ?
      ))
      ORDER BY number LIMIT ?`
    return this.rows(sql, run, after, earlier.unreadable, limit)
  }

  /** Whether all groups of a run that have finished are known to be read, and none has changed since. */
  areAllRead(run: number): boolean {
    const sql = 'SELECT 1 FROM read_sources WHERE run_id = ? AND best IS NOT NULL'
    return this.value(sql, run) !== undefined
  }

  /** Notes that all groups of a run that have finished were read, if it is so: then nobody looks for others. Call within a transaction. */
  noteAllRead(run: number): void {
    if (this.unread(run, -1, 1).length > 0) return
    this.change("UPDATE read_sources SET best = '' WHERE run_id = ? AND best IS NULL", run)
  }

  /** Stores what was read, in place of earlier readings of the same groups. Call within a transaction. */
  put(run: number, readings: readonly Reading[]): void {
    const insert = `INSERT OR REPLACE INTO readings (run_id, number, attempt, restarts, finished, metrics)
      VALUES (?, ?, ?, ?, ?, ?)`
    for (const { index, attempt, restarts, finished, metrics, warnings } of readings) {
      this.change(insert, run, index, attempt, restarts, finished, metricsText(metrics))
      this.change('DELETE FROM reading_warnings WHERE run_id = ? AND number = ?', run, index)
      for (const { text, line } of warnings)
        this.change('INSERT OR IGNORE INTO reading_warnings VALUES (?, ?, ?, ?)', run, index, text, line)
    }
    this.change('UPDATE read_sources SET best = NULL WHERE run_id = ?', run)
  }

  /**
   * The best values of runs as they were found, by run. Runs are left out if metrics were read or groups have changed since,
   * or something else was declared.
   * @param results what the experiment of the runs declares
   */
  best(runs: readonly number[], { metrics, best }: ExpectedResults): Map<number, BestMetric[]> {
    const sql = `SELECT run_id, metric, value, number FROM read_sources LEFT JOIN best_metrics USING (run_id)
      WHERE run_id IN (SELECT value FROM json_each(?)) AND sources = ? AND best = ?`
    const texts = [runs, metrics, best].map(each => JSON.stringify(each))
    const found = new Map<number, BestMetric[]>()
    const rows = this.lists<[number, string | null, number, number]>(sql, texts)
    const order = Object.keys(best)
    rows.sort((one, other) => order.indexOf(one[1] ?? '') - order.indexOf(other[1] ?? ''))
    for (const [run, metric, value, group] of rows) {
      const known = found.get(run) ?? []
      if (metric !== null) known.push({ metric, value, group })
      found.set(run, known)
    }
    return found
  }

  /**
   * Finds the best values of a run among what was read, and stores them, if all groups that have finished were read. Call
   * within a transaction.
   */
  findBest(run: number, best: ExpectedResults['best']): void {
    if (this.unread(run, -1, 1).length > 0) return
    this.change('DELETE FROM best_metrics WHERE run_id = ?', run)
    for (const [metric, direction] of Object.entries(best)) this.findBestOf(run, metric, direction)
    this.change('UPDATE read_sources SET best = ? WHERE run_id = ?', JSON.stringify(best), run)
  }

  /** Of a series, the last value counts. Infinity is stored as text; other texts, and NaN, are never best. */
  private findBestOf(run: number, metric: string, direction: Direction): void {
    const sql = `WITH found AS (
        SELECT number, coalesce(json_extract(metrics, @path || '.last'), json_extract(metrics, @path)) AS value
        FROM readings JOIN groups USING (run_id, number) WHERE run_id = @run AND ${isOfExecution}
      ), numbers AS (
        SELECT number, CASE value WHEN 'Infinity' THEN 9e999 WHEN '-Infinity' THEN -9e999 ELSE value END AS value FROM found
      )
      INSERT INTO best_metrics SELECT @run, @metric, value, number FROM numbers
      WHERE typeof(value) IN ('integer', 'real') ORDER BY value ${direction === 'max' ? 'DESC' : 'ASC'}, number LIMIT 1`
    this.change(sql, { run, metric, path: `$.${JSON.stringify(metric)}` })
  }

  /**
   * The groups of a run that have been more than pending, with the metrics of the finished ones that have been read.
   * @param first the index of the first of them, and how many indexes to look at
   * @param read reads a list of {@link metricsText}
   * @param withUsage whether to read when the groups started and what they used, which takes time
   */
  ended(
    run: number,
    first: number,
    count: number,
    read = parseMetrics as (text: string) => MetricsList,
    withUsage = true,
  ): EndedGroups {
    // SQLite makes a text of each column in half the time that rows of values take, and one long text is parsed faster than
    // many short ones.
    const used = withUsage ? ['started', 'peak_memory', 'cpu_time'] : []
    const columns = ['number', 'state', 'cause', 'finished - started', ...used]
    const sql = `SELECT ${columns.map(column => `json_group_array(${column})`).join()} FROM groups
      WHERE run_id = ? AND number >= ? AND number < ?`
    const texts = this.connection
      .prepare(sql)
      .raw()
      .get(run, first, first + count) as string[]
    const [numbers, states, causes, durations, starts, peakMemory, cpuTimes] = texts.map(text => JSON.parse(text))
    const finished = (numbers as number[]).filter((_, at) => states[at] === 'finished')
    const known = this.metricsOf(run, finished, read)
    let next = 0
    const metricsOf = (number: number) => (known.numbers[next] === number ? known.metrics.at(next++)! : {})
    const metrics = known.numbers.length === numbers.length ? known.metrics : (numbers as number[]).map(metricsOf)
    return { numbers, states, causes, durations, metrics, usage: withUsage ? { starts, peakMemory, cpuTimes } : null }
  }

  /** What was read of finished groups of a run. @param finished all of them between the first and the last one */
  private metricsOf(run: number, finished: readonly number[], read: (text: string) => MetricsList) {
    const [first = 0, last = -1] = [finished[0], finished.at(-1)]
    const select = (columns: string, from: string) => {
      const sql = `SELECT ${columns} FROM ${from} run_id = ? AND number >= ? AND number <= ?`
      return this.connection.prepare(sql).raw().get(run, first, last) as unknown[]
    }
    const joined = `'[' || group_concat(metrics) || ']'`
    // A search for each group takes longest. If all were read, the readings are theirs, unless there are more.
    if (this.areAllRead(run)) {
      const [count, metrics] = select(`count(*), ${joined}`, 'readings WHERE') as [number, string | null]
      if (count === finished.length) return { numbers: finished, metrics: read(metrics ?? '[]') }
    }
    const from = `readings JOIN groups USING (run_id, number) WHERE ${isOfExecution} AND`
    const [numbers, metrics] = select(`json_group_array(number), ${joined}`, from) as [string, string | null]
    return { numbers: JSON.parse(numbers) as number[], metrics: read(metrics ?? '[]') }
  }

  /** What was read of one finished group; null if nothing was. */
  of(run: number, index: number): Metrics | null {
    const sql = `SELECT metrics FROM readings JOIN groups USING (run_id, number)
      WHERE run_id = ? AND number = ? AND ${isOfExecution}`
    const text = this.value<string>(sql, run, index)
    return text === undefined ? null : (parseMetrics(text) as Metrics)
  }

  /** What was wrong with the files of a run, with the number of groups, and the first of them with the line there. */
  warnings(run: number): { warning: string; groups: number; first: number; line: number | null }[] {
    // In SQLite, the line is of the row with the smallest number.
    const sql = `SELECT warning, count(*) AS groups, min(number) AS first, line
      FROM reading_warnings JOIN readings USING (run_id, number) JOIN groups USING (run_id, number)
      WHERE run_id = ? AND ${isOfExecution} GROUP BY warning ORDER BY first`
    return this.rows(sql, run)
  }

  /** How many groups of a run have warnings. */
  warned(run: number): number {
    const sql = `SELECT count(DISTINCT number)
      FROM reading_warnings JOIN readings USING (run_id, number) JOIN groups USING (run_id, number)
      WHERE run_id = ? AND ${isOfExecution}`
    return this.value<number>(sql, run)!
  }

  /** Whether the metrics of a run were looked for there. */
  areFrom(run: number, sources: string): boolean {
    return this.value('SELECT sources FROM read_sources WHERE run_id = ?', run) === sources
  }

  /** Says where the metrics of a run are looked for. If that was elsewhere before, its readings are forgotten, see {@link forget}. */
  setSources(run: number, sources: string, kept: GroupsWithoutFiles): void {
    if (this.areFrom(run, sources)) return
    this.forgetIn('', run, kept)
    this.addWarning(run, kept.gone, earlier.gone)
    this.change('DELETE FROM read_sources WHERE run_id = ?', run)
    this.change('INSERT INTO read_sources (run_id, sources) VALUES (?, ?)', run, sources)
  }

  private addWarning(run: number, groups: readonly number[], warning: string): void {
    const sql = `INSERT OR IGNORE INTO reading_warnings (run_id, number, warning)
      SELECT run_id, number, ? FROM readings WHERE run_id = ? AND number IN (SELECT value FROM json_each(?))`
    this.change(sql, warning, run, JSON.stringify(groups))
  }

  /** Forgets what was read of a run, so that it is read again. What was read of groups without files is kept. */
  forget(run: number, kept: GroupsWithoutFiles): void {
    for (const schema of ['main.', '']) this.forgetIn(schema, run, kept)
    this.noteChanged(run)
  }

  /** @param schema `main.` for what is stored; empty for what is in memory, if it is, else the same */
  private forgetIn(schema: string, run: number, { gone, unreadable }: GroupsWithoutFiles): void {
    const numbers = JSON.stringify([...gone, ...unreadable])
    for (const table of ['readings', 'reading_warnings']) {
      const sql = `DELETE FROM ${schema}${table} WHERE run_id = ? AND number NOT IN (SELECT value FROM json_each(?))`
      this.change(sql, run, numbers)
    }
    this.change(`DELETE FROM ${schema}best_metrics WHERE run_id = ?`, run)
    this.addWarning(run, unreadable, earlier.unreadable)
  }

  /** Notes that groups of a run have changed: others may be the best then. */
  noteChanged(run: number): void {
    for (const schema of ['main.', '']) {
      this.change(`UPDATE ${schema}read_sources SET best = NULL WHERE run_id = ?`, run)
    }
  }

  /** The rows of the table of readings, for other connections, if they are kept in memory; null if the file has them. */
  inMemory(): QueryView['rows'] | null {
    if (!this.isInMemory) return null
    return () =>
      this.connection.prepare(`SELECT ${readingColumns.join()} FROM temp.readings`).raw().iterate() as Iterable<
        SqlValue[]
      >
  }

  /** From now on, what is read is kept in memory until the connection is closed: temporary tables hide those of the file. */
  keepInMemory(): void {
    this.isInMemory = true
    keepInMemory(this.connection, tables)
  }
}
