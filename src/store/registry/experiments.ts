import type { Action, Experiment, ExperimentSummary } from '../../domain/experiment.js'
import type { ExpectedResults } from '../../domain/results/metrics.js'
import type { Connection } from '../database.js'
import { storedJson } from '../rows/stored-json.js'

interface ExperimentRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly path: string
  readonly executable: string
  readonly executable_command: string
  readonly tags: string
  readonly actions: string
  readonly results: string
  readonly datasets: string
}

/** All columns of {@link ExperimentRow}. One query for all of them, since each waits for the server of a network file system. */
const columns = `experiments.*, (SELECT json_group_array(datasets.name ORDER BY position)
  FROM experiment_datasets JOIN datasets ON datasets.id = dataset_id WHERE experiment_id = experiments.id) AS datasets`

/** Experiments by name. Names are unique; the datasets that they name must exist. */
export class ExperimentTable {
  constructor(private readonly connection: Connection) {}

  names(): string[] {
    return this.connection.prepare('SELECT name FROM experiments ORDER BY name').pluck().all() as string[]
  }

  list(): ExperimentSummary[] {
    const sql = `SELECT ${columns}, count(runs.id) AS runs, coalesce(sum(runs.live), 0) AS live_runs
      FROM experiments LEFT JOIN runs ON experiment_id = experiments.id AND NOT deleted GROUP BY experiments.id ORDER BY name`
    const rows = this.connection.prepare(sql).all() as (ExperimentRow & { runs: number; live_runs: number })[]
    return rows.map(row => ({
      id: row.id,
      experiment: this.toExperiment(row),
      runs: row.runs,
      liveRuns: row.live_runs,
    }))
  }

  find(name: string): Experiment | null {
    const row = this.row(name)
    return row ? this.toExperiment(row) : null
  }

  id(name: string): number {
    return this.row(name)!.id
  }

  insert(experiment: Experiment): void {
    const sql = `INSERT INTO experiments (name, description, path, executable, executable_command, tags, actions, results)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
    const { lastInsertRowid } = this.connection.prepare(sql).run(...toValues(experiment))
    this.setDatasets(Number(lastInsertRowid), experiment.datasets)
  }

  /** Replaces the experiment of that name; the new name may differ. It keeps its runs. */
  update(name: string, experiment: Experiment): void {
    const id = this.row(name)!.id
    const sql = `UPDATE experiments SET name = ?, description = ?, path = ?, executable = ?, executable_command = ?,
      tags = ?, actions = ?, results = ? WHERE id = ?`
    this.connection.prepare(sql).run(...toValues(experiment), id)
    this.connection.prepare('DELETE FROM experiment_datasets WHERE experiment_id = ?').run(id)
    this.setDatasets(id, experiment.datasets)
  }

  delete(name: string): void {
    this.connection.prepare('DELETE FROM experiments WHERE name = ?').run(name)
  }

  private row(name: string): ExperimentRow | undefined {
    const sql = `SELECT ${columns} FROM experiments WHERE name = ?`
    return this.connection.prepare(sql).get(name) as ExperimentRow | undefined
  }

  private setDatasets(id: number, names: readonly string[]): void {
    const sql = `INSERT INTO experiment_datasets (experiment_id, position, dataset_id)
      SELECT ?, ?, id FROM datasets WHERE name = ?`
    const insert = this.connection.prepare(sql)
    for (const [position, name] of names.entries()) insert.run(id, position, name)
  }

  private toExperiment(row: ExperimentRow): Experiment {
    type Stored = ExpectedResults &
      Pick<Experiment, 'passes' | 'uses' | 'ignores' | 'manifest' | 'storageOption' | 'datasetOption'>
    const { passes, uses, ignores, manifest, storageOption, datasetOption, ...results } = storedJson<Stored>(
      ...([row.results, 'expected results', 'results'] as const),
    )
    return {
      name: row.name,
      description: row.description,
      path: row.path,
      executable: row.executable,
      executableCommand: row.executable_command,
      tags: storedJson(row.tags, 'tags', 'texts'),
      datasets: storedJson(row.datasets, 'datasets', 'texts'),
      actions: storedJson<Action[]>(row.actions, 'actions', 'mappings'),
      results,
      passes,
      uses,
      ignores,
      manifest,
      ...(storageOption !== undefined && { storageOption }),
      ...(datasetOption !== undefined && { datasetOption }),
    }
  }
}

function toValues(experiment: Experiment): string[] {
  const { name, description, path, executable, executableCommand, tags, actions, results } = experiment
  const { passes, uses, ignores, manifest, storageOption, datasetOption } = experiment
  const others = { ...results, passes, uses, ignores, manifest, storageOption, datasetOption }
  const texts = [name, description, path, executable, executableCommand]
  return [...texts, ...[tags, actions, others].map(value => JSON.stringify(value))]
}
