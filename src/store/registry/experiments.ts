import type { Experiment, ExperimentSummary } from '../../domain/experiment.js'
import { type DefinitionRow, DefinitionTable } from './definitions.js'

/** Experiments by name. What runs refer to stays, also once it is registered nowhere any more. */
export class ExperimentTable extends DefinitionTable<Experiment> {
  list(): ExperimentSummary[] {
    const sql = `SELECT experiments.id, name, definition, count(runs.id) AS runs, coalesce(sum(runs.live), 0) AS live_runs
      FROM experiments LEFT JOIN runs ON experiment_id = experiments.id AND NOT deleted
      WHERE definition IS NOT NULL GROUP BY experiments.id ORDER BY name`
    const rows = this.connection.prepare(sql).all() as (DefinitionRow & { runs: number; live_runs: number })[]
    return rows.map(row => ({ id: row.id, experiment: this.toThing(row), runs: row.runs, liveRuns: row.live_runs }))
  }

  id(name: string): number {
    return this.connection.prepare('SELECT id FROM experiments WHERE name = ?').pluck().get(name) as number
  }

  /** Whether it has runs, deleted ones in the trash counted. */
  hasRuns(name: string): boolean {
    const sql = 'SELECT EXISTS (SELECT 1 FROM runs JOIN experiments ON experiments.id = experiment_id WHERE name = ?)'
    return this.connection.prepare(sql).pluck().get(name) === 1
  }

  /** Its runs are those of the other one from now on, which may be there already. */
  override rename(former: string, name: string): void {
    if (this.entry(name) !== null) {
      const sql = 'UPDATE runs SET experiment_id = ? WHERE experiment_id = ?'
      this.connection.prepare(sql).run(this.id(name), this.id(former))
    }
    super.rename(former, name)
  }
}
