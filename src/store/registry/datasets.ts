import type { Setting } from '../../domain/data/fingerprint.js'
import type { Dataset, StoredDataset } from '../../domain/dataset.js'
import type { Connection } from '../database.js'
import { storedJson } from '../rows/stored-json.js'

interface DatasetRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly path: string
  readonly tags: string
  readonly fingerprint: Setting
}

/** Datasets by name. Names are unique; the caller checks that they are valid. */
export class DatasetTable {
  constructor(private readonly connection: Connection) {}

  list(): StoredDataset[] {
    return (this.connection.prepare('SELECT * FROM datasets ORDER BY name').all() as DatasetRow[]).map(toDataset)
  }

  find(name: string): StoredDataset | null {
    const row = this.connection.prepare('SELECT * FROM datasets WHERE name = ?').get(name) as DatasetRow | undefined
    return row ? toDataset(row) : null
  }

  insert(dataset: Dataset): void {
    this.connection
      .prepare('INSERT INTO datasets (name, description, path, tags, fingerprint) VALUES (?, ?, ?, ?, ?)')
      .run(...toValues(dataset))
  }

  /** Replaces the dataset of that name; the new name may differ. */
  update(name: string, dataset: Dataset): void {
    this.connection
      .prepare('UPDATE datasets SET name = ?, description = ?, path = ?, tags = ?, fingerprint = ? WHERE name = ?')
      .run(...toValues(dataset), name)
  }

  delete(name: string): void {
    this.connection.prepare('DELETE FROM datasets WHERE name = ?').run(name)
  }

  /** Names of the experiments that read it. */
  users(name: string): string[] {
    const sql = `SELECT DISTINCT experiments.name FROM experiments
      JOIN experiment_datasets ON experiment_id = experiments.id
      JOIN datasets ON dataset_id = datasets.id WHERE datasets.name = ? ORDER BY experiments.name`
    return this.connection.prepare(sql).pluck().all(name) as string[]
  }
}

function toDataset({ id, name, description, path, tags, fingerprint }: DatasetRow): StoredDataset {
  return { id, name, description, path, tags: storedJson(tags, 'tags', 'texts'), fingerprint }
}

function toValues({ name, description, path, tags, fingerprint }: Dataset): string[] {
  return [name, description, path, JSON.stringify(tags), fingerprint]
}
