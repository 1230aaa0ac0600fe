import type { GroupState, Run } from '../domain/runs/run.js'
import { Table } from './rows/table.js'

/** What decides which cells of an experiment have a result. */
export class CellTable extends Table {
  /** The id of the launch that a run repeats, directly or through other reruns, also those in the trash; its own if it repeats none. */
  first({ id, rerunOf }: Pick<Run, 'id' | 'rerunOf'>): number {
    if (rerunOf === null) return id
    const sql = `WITH RECURSIVE chain (id) AS (SELECT ?
      UNION SELECT rerun_of FROM chain JOIN runs USING (id) WHERE rerun_of IS NOT NULL) SELECT min(id) FROM chain`
    return this.value<number>(sql, rerunOf)!
  }

  /** The states of the groups of a run that are more than pending, and why they failed or were lost, by index. */
  states(id: number): Map<number, { state: GroupState; cause: string | null }> {
    const rows = this.lists<[number, GroupState, string | null]>(
      'SELECT number, state, cause FROM groups WHERE run_id = ?',
      id,
    )
    return new Map(rows.map(([index, state, cause]) => [index, { state, cause }]))
  }

  /** A text that becomes another one with each launch or retry of an experiment, and when a run of it is retired or deleted. */
  launches(experiment: string): string {
    const attempts = 'SELECT max(attempt) FROM attempts WHERE run_id = runs.id'
    const sql = `SELECT json_group_array(json_array(runs.id, retired, (${attempts}))) FROM runs
      JOIN experiments ON experiments.id = experiment_id AND NOT deleted WHERE name = ?`
    return this.value<string>(sql, experiment)!
  }
}
