import { runStatus } from '../domain/runs/aggregate.js'
import { type GroupCounts, type GroupState, groupStates, type Run, type RunStatus } from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { type RunRow, runOfRow } from './run-rows.js'
import { selectRun } from './runs.js'

/** How many runs have each status. */
export type StatusCounts = Partial<Record<RunStatus, number>>

/** Parts of long lists, and counts of whole ones, for pages that show a part at a time. */
export class PageTable {
  private known = { version: '', counts: new Map<string, StatusCounts>() }

  /** @param version changes whenever something in the database does */
  constructor(
    private readonly connection: Connection,
    private readonly version: () => string,
  ) {}

  /** Runs, live ones first, the newest next. @param experiment null for all @param count -1 for all */
  runs(experiment: string | null, first: number, count: number): Run[] {
    const ofExperiment = '@experiment IS NULL OR experiments.name = @experiment'
    const all = `${selectRun} WHERE (${ofExperiment})`
    const live = this.connection.prepare(`${all} AND live ORDER BY runs.id DESC`).all({ experiment }) as RunRow[]
    const shown = live.slice(first, count < 0 ? undefined : first + count)
    // Read by id: a sort of all runs would read all of them.
    const rest = { first: Math.max(0, first - live.length), count: count < 0 ? count : count - shown.length }
    const others = `${all} AND NOT live ORDER BY runs.id DESC LIMIT @count OFFSET @first`
    return [...shown, ...(this.connection.prepare(others).all({ experiment, ...rest }) as RunRow[])].map(runOfRow)
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
    for (const row of this.connection.prepare(sql).all() as ({ experiment: string; runs: number } & GroupCounts)[]) {
      const known = counts.get(row.experiment) ?? {}
      const status = runStatus(row)
      counts.set(row.experiment, { ...known, [status]: (known[status] ?? 0) + row.runs })
    }
    return counts
  }

  /** The newest run of each experiment that has runs. */
  newest(): Run[] {
    const sql = `${selectRun} WHERE runs.id IN (SELECT max(id) FROM runs WHERE NOT deleted GROUP BY experiment_id)`
    return (this.connection.prepare(sql).all() as RunRow[]).map(runOfRow)
  }

  /** Indices of groups of a run that have a row and are in a state, in ascending order. */
  groupsIn(run: number, state: GroupState, first: number, count: number): number[] {
    const sql = 'SELECT number FROM groups WHERE run_id = ? AND state = ? ORDER BY number LIMIT ? OFFSET ?'
    return this.connection.prepare(sql).pluck().all(run, state, count, first) as number[]
  }

  /** Indices of the groups of a run that have more than waited, in ascending order. */
  groupsBeyondPending(run: number): number[] {
    const sql = "SELECT number FROM groups WHERE run_id = ? AND state <> 'pending' ORDER BY number"
    return this.connection.prepare(sql).pluck().all(run) as number[]
  }
}
