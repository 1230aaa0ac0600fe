import type { ParameterGrid } from '../domain/parameters/grid.js'
import type { Attempt, Launch } from '../domain/runs/launch.js'
import {
  type Dealing,
  type GroupCounts,
  type GroupReport,
  type GroupState,
  groupStates,
  type Retirement,
  type Run,
  type RunStatus,
} from '../domain/runs/run.js'
import type { Pace } from '../domain/runs/time-left.js'
import { UserError } from '../errors.js'
import type { AttemptTable } from './attempts.js'
import type { Connection } from './database.js'
import type { ReadingTable } from './readings.js'
import { readReports, storedReport, storeReport } from './rows/group-rows.js'
import {
  type Definition,
  Definitions,
  type DeletedRun,
  type Place,
  readDeleted,
  readPlaces,
  readRuns,
  wasDeleted,
} from './rows/run-rows.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

export type NewRun = Omit<
  Run,
  'id' | 'status' | 'counts' | 'awaiting' | 'finished' | 'progress' | 'asOf' | 'dealing'
> & {
  readonly groupCount: number
}

/** Runs and their groups. Totals by state are stored with the run, so that lists read no groups. */
export class RunTable extends Table {
  private readonly definitions = new Definitions()

  constructor(
    connection: Connection,
    private readonly attempts: AttemptTable,
    private readonly readings: ReadingTable,
  ) {
    super(connection)
  }

  /** The highest run id ever given, 0 before the first. */
  lastId(): number {
    const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'runs'"
    return this.value(sql) ?? 0
  }

  /** Gives no id again up to this one. Call while there are no runs. */
  keepIds(last: number): void {
    this.change("INSERT INTO sqlite_sequence VALUES ('runs', ?)", last)
  }

  /** @throws UserError if its experiment was deleted in the meantime */
  insert(id: number, run: NewRun, launch: Launch): void {
    const sql = `INSERT INTO runs (id, experiment_id, token, site, runner, runner_parameters, commit_sha, dirty, code_used,
        code_changed, frozen, storage_path, description, tags, rerun_of, fill_of, retired, launched, as_of, host, started, groups_pending)
      SELECT @id, id, @token, @site, @runner, @runnerParameters, @commit, @dirty, @codeUsed, @codeChanged,
        @frozen, @storagePath, @description, @tags, @rerunOf, @fillOf, @retired, @launched, @launched, @host, @started, @groupCount
      FROM experiments WHERE name = @experiment`
    const { token, grid, attempts, ...definition } = launch
    const changes = this.change(sql, {
      ...run,
      ...{ id, token, dirty: Number(run.dirty), codeChanged: asNumber(run.codeChanged) },
      runnerParameters: JSON.stringify(run.runnerParameters),
      tags: JSON.stringify(run.tags),
      retired: run.retired && JSON.stringify(run.retired),
    })
    if (changes === 0) {
      const hint = 'qanat experiment list        shows the experiments'
      throw new UserError(`the experiment ${run.experiment} was deleted in the meantime`, hint)
    }
    const texts = [grid, definition].map(value => JSON.stringify(value))
    this.change('INSERT INTO launches (run_id, grid, definition) VALUES (?, ?, ?)', id, ...texts)
    for (const attempt of attempts) this.attempts.put(id, attempt)
  }

  /** Runs of one experiment, the newest first. */
  listOf(experiment: string): Run[] {
    return this.select('WHERE experiments.name = ? ORDER BY runs.id DESC', experiment)
  }

  /** Runs of one experiment with exactly that grid, the newest first. */
  listWith(experiment: string, grid: ParameterGrid): Run[] {
    const rest = 'JOIN launches ON run_id = runs.id WHERE experiments.name = ? AND grid = ? ORDER BY runs.id DESC'
    return this.select(rest, experiment, JSON.stringify(grid))
  }

  /** The newest run of an experiment, or of all if that is null; null if there is none. */
  last(experiment: string | null): Run | null {
    const rest = 'WHERE ? IS NULL OR experiments.name = ? ORDER BY runs.id DESC LIMIT 1'
    return this.select(rest, experiment, experiment)[0] ?? null
  }

  /** All runs, the newest first. */
  list(): Run[] {
    return this.select('ORDER BY runs.id DESC')
  }

  /** Live runs, and those that have ended since a time, of which a group was lost or whose runner is wanted. */
  live(endedSince = Number.MAX_SAFE_INTEGER, isWanted: (runner: string) => boolean = () => true): Run[] {
    const sql = 'SELECT DISTINCT runner FROM runs WHERE finished > ? AND NOT deleted'
    const runners = this.column<string>(sql, endedSince).filter(isWanted)
    const mayChange = 'runs.finished > ? AND (groups_lost > 0 OR runner IN (SELECT value FROM json_each(?)))'
    return this.select(`WHERE live OR ${mayChange} ORDER BY runs.id`, endedSince, JSON.stringify(runners))
  }

  find(id: number): Run | null {
    return this.select('WHERE runs.id = ?', id)[0] ?? null
  }

  /** A run by its id. @throws UserError if it was deleted in the meantime */
  get(id: number): Run {
    return this.find(id) ?? wasDeleted(id)
  }

  /** The runs with a frozen copy. */
  usersOfFrozenCode(): { id: number; frozen: string }[] {
    return this.rows('SELECT id, frozen FROM runs WHERE frozen IS NOT NULL AND NOT deleted')
  }

  /** The run that ended last in a frozen copy; null if there is none, or if it was deleted. */
  lastIn(frozen: string): Run | null {
    const sql = 'SELECT id FROM runs WHERE frozen = ? AND finished IS NOT NULL ORDER BY finished DESC, id DESC LIMIT 1'
    const id = this.value<number>(sql, frozen)
    return id === undefined ? null : this.find(id)
  }

  /** The tags of all runs, each once. */
  tags(): string[] {
    return this.column('SELECT DISTINCT value FROM runs, json_each(tags) WHERE NOT deleted ORDER BY value')
  }

  /** The number of runs of the whole project by status. */
  countByStatus(): Partial<Record<RunStatus, number>> {
    const counts: Partial<Record<RunStatus, number>> = {}
    for (const { status } of this.select('')) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  /** The launch of a run. @throws UserError if the run was deleted for good */
  launch(id: number): Launch {
    return { token: this.token(id), grid: this.grid(id), ...this.definition(id), attempts: this.attempts.of(id) }
  }

  /** What a run was launched with. @throws UserError if the run was deleted for good */
  definition(id: number): Definition {
    return this.definitions.read(this.launched(id, 'definition'))
  }

  /** The parameters of a run alone. @throws UserError if the run was deleted for good */
  grid(id: number): ParameterGrid {
    return storedJson<ParameterGrid>(this.launched(id, 'grid'), 'parameters', 'grid')
  }

  private launched(id: number, column: 'definition' | 'grid'): string {
    const sql = `SELECT ${column} FROM launches WHERE run_id = ?`
    return this.value<string>(sql, id) ?? wasDeleted(id)
  }

  /** What tells the folder of a run from those of other runs. @throws UserError if the run was deleted for good */
  token(id: number): string {
    return this.value<string>('SELECT token FROM runs WHERE id = ?', id) ?? wasDeleted(id)
  }

  /** What a refresh needs of a live run, without its grid. @throws UserError if the run was deleted for good */
  submission(id: number): { readonly token: string; readonly attempts: readonly Attempt[] } {
    return { token: this.token(id), attempts: this.attempts.of(id) }
  }

  setTags(id: number, tags: readonly string[]): void {
    this.change('UPDATE runs SET tags = ? WHERE id = ?', JSON.stringify(tags), id)
  }

  setRetired(id: number, retired: Retirement | null): void {
    this.change('UPDATE runs SET retired = ? WHERE id = ?', retired && JSON.stringify(retired), id)
  }

  setStoragePath(id: number, storagePath: string): void {
    this.change('UPDATE runs SET storage_path = ? WHERE id = ?', storagePath, id)
  }

  setHost(id: number, host: string | null): void {
    this.change('UPDATE runs SET host = ? WHERE id = ?', host, id)
  }

  setDealing(id: number, { slots, hasNoWorker }: Dealing): void {
    this.change('UPDATE runs SET slots = ?, has_no_worker = ? WHERE id = ?', slots, Number(hasNoWorker), id)
  }

  setFrozen(id: number, frozen: string | null): void {
    this.change('UPDATE runs SET frozen = ? WHERE id = ?', frozen, id)
  }

  setCodeChanged(id: number, codeChanged: boolean | null): void {
    this.change('UPDATE runs SET code_changed = ? WHERE id = ?', asNumber(codeChanged), id)
  }

  /** Every group beyond pending, by index. */
  groups(id: number): GroupReport[] {
    return readReports(this.connection, 'WHERE run_id = ? ORDER BY number', id)
  }

  /** The indices of those that have finished. */
  finishedGroups(id: number): Set<number> {
    const sql = "SELECT number FROM groups INDEXED BY groups_by_state WHERE run_id = ? AND state = 'finished'"
    return new Set(this.column<number>(sql, id))
  }

  groupsThatFailed(id: number): GroupReport[] {
    const failed = "state IN ('failed', 'cancelled', 'lost')"
    return readReports(this.connection, `WHERE run_id = ? AND ${failed} ORDER BY number`, id)
  }

  /** The first groups in that state, at most `limit`. */
  groupsIn(id: number, state: GroupState, limit: number): GroupReport[] {
    return readReports(this.connection, 'WHERE run_id = ? AND state = ? ORDER BY number LIMIT ?', id, state, limit)
  }

  /** How long the groups of a run take: those that run, and of those that have ended the last ones, which is fast and enough. */
  pace(id: number): Pace {
    const of = (state: string) => `SELECT number, started, finished FROM groups INDEXED BY groups_by_state
      WHERE run_id = @id AND state = '${state}' AND started IS NOT NULL`
    const ended = `SELECT count(finished) AS ended, coalesce(sum(max(0, finished - started)), 0) AS took
      FROM (${of('finished')} UNION ALL ${of('failed')} ORDER BY number DESC LIMIT 10000)`
    const running = `SELECT count(started) AS running, coalesce(sum(started), 0) AS starts FROM (${of('running')})`
    return this.connection.prepare(`SELECT * FROM (${ended}), (${running})`).get({ id }) as Pace
  }

  /** Stores progress and the time of the runner's last answer for a run whose groups have not changed. */
  touch(id: number, progress: number, asOf: number): void {
    this.change('UPDATE runs SET progress = ?, as_of = ? WHERE id = ?', progress, asOf, id)
  }

  /** Stores groups that changed, and the run's totals, times and progress. The first start stays when groups start again. */
  update(id: number, changed: readonly GroupReport[], progress: number | null, asOf: number): void {
    for (const report of changed) this.change(storeReport, storedReport(id, report))
    this.change(`UPDATE refreshes SET cursor = json_remove(cursor, '$.judged') WHERE run_id = ?`, id)
    this.readings.noteChanged(id)
    const counts = this.count(id)
    const sql = `UPDATE runs SET progress = @progress, as_of = @asOf,
        ${groupStates.map(state => `groups_${state} = @${state}`).join(', ')},
        groups_awaiting = (SELECT count(*) FROM groups WHERE run_id = @id AND awaiting IS NOT NULL),
        started = (SELECT min(started) FROM (SELECT started FROM groups WHERE run_id = @id UNION ALL
          SELECT runs.started WHERE EXISTS (SELECT 1 FROM attempts WHERE run_id = @id AND attempt > 1))),
        finished = CASE WHEN @pending + @running + @held = 0
          THEN (SELECT max(coalesce(finished, started)) FROM groups WHERE run_id = @id) END
      WHERE id = @id`
    this.change(sql, { id, progress, asOf, ...counts })
  }

  /** The places of all runs with a row, including those in the trash. @param near see {@link readPlaces} */
  places(near: string | null = null): Place[] {
    return readPlaces(this.connection, near)
  }

  /**
   * Removes a run from all lists, or adds it again.
   * @param at time of the deletion in milliseconds since the epoch, the same for all runs that are deleted together
   */
  setDeleted(id: number, deleted: boolean, at = Date.now()): void {
    this.change('UPDATE runs SET deleted = ? WHERE id = ?', deleted ? at : 0, id)
  }

  /** Deleted runs that can still be restored, with the time of their deletion in milliseconds since the epoch. */
  deleted(): DeletedRun[] {
    return readDeleted(this.connection)
  }

  delete(id: number): void {
    this.change('DELETE FROM runs WHERE id = ?', id)
  }

  /** @param rest of the query: its conditions and the order */
  private select(rest: string, ...parameters: readonly unknown[]): Run[] {
    return readRuns(this.connection, rest, ...parameters)
  }

  private count(id: number): GroupCounts {
    const totals = `SELECT ${groupStates.map(state => `groups_${state}`).join(' + ')} FROM runs WHERE id = ?`
    const total = this.value<number>(totals, id)!
    const sql = 'SELECT state, count(*) FROM groups WHERE run_id = ? GROUP BY state'
    const stored = Object.fromEntries(this.lists<[GroupState, number]>(sql, id))
    const known = groupStates.filter(state => state !== 'pending').map(state => [state, stored[state] ?? 0] as const)
    const pending = total - known.reduce((sum, [, count]) => sum + count, 0)
    return { ...(Object.fromEntries(known) as GroupCounts), pending }
  }
}

function asNumber(value: boolean | null): number | null {
  return value === null ? null : Number(value)
}
