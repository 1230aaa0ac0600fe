import type { Fingerprint } from '../domain/data/fingerprint.js'
import { storedJson } from './rows/stored-json.js'
import { Table } from './rows/table.js'

/** What runs have read. */
export class DataTable extends Table {
  private given: { readonly launches: string; readonly files: readonly string[] } | null = null

  /** The files that any run was given, such as those with its parameters: stored paths, each once. */
  givenFiles(): readonly string[] {
    // Asked again and again, for each of many runs that are compared.
    const launches = this.value<string>("SELECT count(*) || ' ' || max(run_id) FROM launches")
    if (this.given?.launches !== launches) {
      const sql = `SELECT DISTINCT value FROM launches, json_each(definition, '$.uncountedFiles')`
      this.given = { launches: launches!, files: this.column(sql) }
    }
    return this.given!.files
  }

  /** In the order of the datasets; empty if it was not recorded. */
  of(run: number): Fingerprint[] {
    const texts = this.column<string>('SELECT fingerprint FROM run_data WHERE run_id = ? ORDER BY position', run)
    return texts.map(text => storedJson(text, 'a fingerprint of data', 'mapping'))
  }

  /** Where the data are that runs have read, relative to the project where they lie inside; runs in the trash are left out. */
  places(): { run: number; path: string }[] {
    return this.rows(`SELECT run_id AS run, value AS path FROM launches JOIN runs ON runs.id = run_id,
      json_each(definition, '$.datasetPaths') WHERE NOT deleted ORDER BY run_id`)
  }

  /** The same of all runs, also those in the trash, each path once. */
  allPlaces(): string[] {
    return this.column(`SELECT DISTINCT value FROM launches, json_each(definition, '$.datasetPaths')`)
  }

  /** What the last run of the same experiment before a run has recorded, if it was not deleted; null without one. */
  before(run: number): { readonly run: number; readonly data: readonly Fingerprint[] } | null {
    const sql = `SELECT id FROM runs WHERE experiment_id = (SELECT experiment_id FROM runs WHERE id = ?)
      AND id < ? AND NOT deleted ORDER BY id DESC LIMIT 1`
    const before = this.value<number>(sql, run, run)
    return before === undefined ? null : { run: before, data: this.of(before) }
  }

  /** The ids of runs that have recorded data, the newest first. */
  readers(): number[] {
    return this.column(
      'SELECT DISTINCT run_id FROM run_data JOIN runs ON runs.id = run_id AND NOT deleted ORDER BY run_id DESC',
    )
  }

  /** The ids of runs that have notes on their data. */
  noted(): number[] {
    return this.column("SELECT DISTINCT run_id FROM run_data WHERE fingerprint ->> 'notes' IS NOT NULL")
  }

  /** Adds a note on a dataset of a run, unless it is there already. Call within a transaction. */
  note(run: number, dataset: string, text: string): void {
    const sql = 'UPDATE run_data SET fingerprint = ? WHERE run_id = ? AND name = ?'
    for (const fingerprint of this.of(run)) {
      const { name, notes = [] } = fingerprint
      if (name !== dataset || notes.includes(text)) continue
      this.change(sql, JSON.stringify({ ...fingerprint, notes: [...notes, text] }), run, name)
    }
  }

  put(run: number, data: readonly Fingerprint[]): void {
    for (const [position, each] of data.entries())
      this.change('INSERT INTO run_data VALUES (?, ?, ?, ?)', run, position, each.name, JSON.stringify(each))
  }
}
