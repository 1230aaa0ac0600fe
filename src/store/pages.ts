import type { ParameterGrid } from '../domain/parameters/grid.js'
import type { Metrics } from '../domain/results/metrics.js'
import { parseMetrics } from '../domain/results/metrics-text.js'
import { runStatus } from '../domain/runs/aggregate.js'
import type { GroupFilter } from '../domain/runs/group-filter.js'
import {
  type GroupCounts,
  type GroupState,
  type GroupStatus,
  groupStates,
  type Run,
  type RunStatus,
} from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { isOfExecution } from './readings.js'
import { type StatusValues, statusColumns, statusOfValues } from './rows/group-rows.js'
import { readRuns } from './rows/run-rows.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

/** How many runs have each status. */
export type StatusCounts = Partial<Record<RunStatus, number>>

/** A group that is more than pending, with the metrics that have been read. */
interface StoredGroup {
  readonly index: number
  readonly status: GroupStatus
  readonly metrics: Metrics
}

/** What became of the groups of a run that are more than pending. */
export interface GroupSummary {
  /** The most frequent first. */
  readonly ends: readonly {
    readonly state: GroupState
    readonly cause: string | null
    readonly exitCode: number | null
    readonly signal: string | null
    readonly groups: number
  }[]
  /** The hosts on which they started, that of most groups first. */
  readonly hosts: readonly { readonly host: string; readonly groups: number }[]
  /** Those that took longest. */
  readonly slowest: readonly { readonly index: number; readonly took: number }[]
}

const shownSlowest = 3

const shortHost = "substr(host, 1, instr(host, '.') - 1)"

/** Parts of long lists, and counts of whole ones, for pages that show a part at a time. */
export class PageTable extends Table {
  private known = { version: '', counts: new Map<string, StatusCounts>() }

  /** @param version changes whenever something in the database does */
  constructor(
    connection: Connection,
    private readonly version: () => string,
  ) {
    super(connection)
  }

  /** Runs, live ones first, the newest next. @param experiment null for all @param count -1 for all */
  runs(experiment: string | null, first: number, count: number): Run[] {
    const all = 'WHERE (@experiment IS NULL OR experiments.name = @experiment)'
    const live = readRuns(this.connection, `${all} AND live ORDER BY runs.id DESC`, { experiment })
    const shown = live.slice(first, count < 0 ? undefined : first + count)
    // Read by id: a sort of all runs would read all of them.
    const rest = { first: Math.max(0, first - live.length), count: count < 0 ? count : count - shown.length }
    const others = `${all} AND NOT live ORDER BY runs.id DESC LIMIT @count OFFSET @first`
    return [...shown, ...readRuns(this.connection, others, { experiment, ...rest })]
  }

  /** The ids of the runs of an experiment, live ones first, the newest next. */
  runIds(experiment: string): number[] {
    const sql = `SELECT runs.id FROM runs JOIN experiments ON experiments.id = experiment_id
      WHERE experiments.name = ? AND NOT deleted ORDER BY live DESC, runs.id DESC`
    return this.column(sql, experiment)
  }

  /** Runs by their ids; those that were deleted are left out. */
  runsCalled(ids: readonly number[]): Run[] {
    return readRuns(this.connection, 'WHERE runs.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  }

  /** The number of runs by status, of each experiment that has runs. It is kept until something changes. */
  statusCounts(): ReadonlyMap<string, StatusCounts> {
    const version = this.version()
    if (this.known.version !== version) this.known = { version, counts: this.countStatuses() }
    return this.known.counts
  }

  private countStatuses(): Map<string, StatusCounts> {
    const states = groupStates.map(state => `groups_${state} > 0 AS ${state}`)
    const sql = `SELECT experiments.name AS experiment, count(*) AS runs, ${states.join(', ')}
      FROM runs JOIN experiments ON experiments.id = experiment_id WHERE NOT deleted GROUP BY 1, 3, 4, 5, 6, 7, 8, 9`
    const counts = new Map<string, StatusCounts>()
    for (const row of this.rows(sql) as ({ experiment: string; runs: number } & GroupCounts)[]) {
      const known = counts.get(row.experiment) ?? {}
      const status = runStatus(row)
      counts.set(row.experiment, { ...known, [status]: (known[status] ?? 0) + row.runs })
    }
    return counts
  }

  /** The newest run of each experiment that has runs. */
  newest(): Run[] {
    const newest = 'SELECT max(id) FROM runs WHERE NOT deleted GROUP BY experiment_id'
    return readRuns(this.connection, `WHERE runs.id IN (${newest})`)
  }

  /** Indices of groups of a run that have a row and are in a state, in ascending order. */
  groupsIn(run: number, state: GroupState, first: number, count: number): number[] {
    const sql = 'SELECT number FROM groups WHERE run_id = ? AND state = ? ORDER BY number LIMIT ? OFFSET ?'
    return this.column(sql, run, state, count, first)
  }

  /** Indices of the groups of a run that wait, in ascending order. @param total how many groups it has */
  pending(run: number, total: number): number[] {
    const sql = "SELECT number FROM groups WHERE run_id = ? AND state <> 'pending'"
    const others = new Set(this.column(sql, run))
    return [...Array(total).keys()].filter(index => !others.has(index))
  }

  /**
   * The groups of a run that have a row and a status, a cause and a host that the filter wants, in ascending order. Groups
   * that have never been more than pending have no row.
   * @param indices of those that are wanted; null for all
   */
  groups(
    run: number,
    { statuses, causes, hosts }: Pick<GroupFilter, 'statuses' | 'causes' | 'hosts'>,
    indices: readonly number[] | null,
  ): StoredGroup[] {
    const isOneOf = (column: string, name: string) => `${column} IN (SELECT value FROM json_each(@${name}))`
    const conditions = [
      ...(statuses.length > 0 ? [isOneOf('state', 'statuses')] : []),
      ...(causes.length > 0 ? [isOneOf('cause', 'causes')] : []),
      ...(hosts.length > 0 ? [`(${isOneOf('host', 'hosts')} OR ${isOneOf(shortHost, 'hosts')})`] : []),
      ...(indices === null ? [] : [isOneOf('number', 'indices')]),
    ]
    const sql = `SELECT number, CASE WHEN ${isOfExecution} THEN metrics END,
        ${statusColumns.map(column => `groups.${column}`).join(', ')}
      FROM groups LEFT JOIN readings USING (run_id, number)
      WHERE ${['run_id = @run', ...conditions].join(' AND ')} ORDER BY number`
    const given = Object.entries({ statuses, causes, hosts, indices }).map(([name, all]) => [name, JSON.stringify(all)])
    const rows = this.connection
      .prepare(sql)
      .raw()
      .all({ run, ...Object.fromEntries(given) }) as [number, string | null, ...StatusValues][]
    // One long text is parsed faster than many short ones.
    const metrics = parseMetrics(`[${rows.map(row => row[1] ?? '{}').join()}]`) as Metrics[]
    return rows.map(([index, , ...status], at) => ({ index, status: statusOfValues(...status), metrics: metrics[at]! }))
  }

  /**
   * The parameters of runs, by run, without those whose text is longer than `most`. Equal parameters are the same
   * object.
   */
  grids(runs: readonly number[], most: number): Map<number, ParameterGrid> {
    const sql = `SELECT run_id, grid FROM launches
      WHERE run_id IN (SELECT value FROM json_each(?)) AND octet_length(grid) <= ?`
    const rows = this.lists(sql, JSON.stringify(runs), most) as [number, string][]
    const known = new Map<string, ParameterGrid>()
    return new Map(
      rows.map(([run, text]) => {
        const grid = known.get(text) ?? storedJson<ParameterGrid>(text, 'parameters', 'grid')
        known.set(text, grid)
        return [run, grid]
      }),
    )
  }

  /** The groups of a run by state and cause, where they started, and those that took longest, in milliseconds. */
  summary(run: number): GroupSummary {
    const counts = `SELECT state, cause, exit_code AS exitCode, signal, count(*) AS groups FROM groups
      WHERE run_id = ? AND state <> 'pending' GROUP BY 1, 2, 3, 4 ORDER BY groups DESC, min(number)`
    const hosts = `SELECT host, count(*) AS groups FROM groups WHERE run_id = ? AND host IS NOT NULL
      GROUP BY host ORDER BY groups DESC, host`
    const slowest = `SELECT number AS "index", finished - started AS took FROM groups
      WHERE run_id = ? AND finished >= started ORDER BY took DESC, number LIMIT ${shownSlowest}`
    const [ends, places, longest] = [counts, hosts, slowest].map(sql => this.rows(sql, run))
    return { ends, hosts: places, slowest: longest } as GroupSummary
  }

  /** The hosts on which groups have started. */
  hosts(): string[] {
    return this.column('SELECT DISTINCT host FROM groups WHERE host IS NOT NULL ORDER BY host')
  }

  /** The names of all metrics that have been read of runs. */
  metricNames(runs: readonly number[]): string[] {
    const sql = `SELECT DISTINCT key FROM readings JOIN groups USING (run_id, number), json_each(metrics)
      WHERE run_id IN (SELECT value FROM json_each(?)) AND ${isOfExecution}`
    return this.column(sql, JSON.stringify(runs))
  }
}
