import { runStatus } from '../domain/runs/aggregate.js'
import { type GroupCounts, type GroupState, groupStates, type Run, type RunStatus } from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { type RunRow, runOfRow } from './run-rows.js'
import { selectRun } from './runs.js'

/** How many runs have each status. */
export type StatusCounts = Partial<Record<RunStatus, number>>

/** Parts of long lists, and counts of whole ones, for pages that show a part at a time. */
export class PageTable {
  constructor(private readonly connection: Connection) {}

  /** Runs, live ones first, the newest next. @param experiment null for all */
  runs(experiment: string | null, first: number, count: number): Run[] {
    const sql = `${selectRun} WHERE @experiment IS NULL OR experiments.name = @experiment
      ORDER BY live DESC, runs.id DESC LIMIT @count OFFSET @first`
    return (this.connection.prepare(sql).all({ experiment, first, count }) as RunRow[]).map(runOfRow)
  }

  /** The number of runs by status, of each experiment that has runs. */
  statusCounts(): Map<string, StatusCounts> {
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
