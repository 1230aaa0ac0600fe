import type { Fingerprint } from '../domain/data/fingerprint.js'
import type { Connection } from './database.js'
import { storedJson } from './stored-json.js'

interface DataRow {
  readonly run_id: number
  readonly fingerprint: string
}

/** What runs have read. */
export class DataTable {
  private given: { readonly launches: string; readonly files: readonly string[] } | null = null

  constructor(private readonly connection: Connection) {}

  /** The files that any run was given, such as those with its parameters: stored paths, each once. */
  givenFiles(): readonly string[] {
    // Asked again and again, for each of many runs that are compared.
    const launches = this.connection.prepare("SELECT count(*) || ' ' || max(run_id) FROM launches").pluck().get()
    if (this.given?.launches !== launches) {
      const sql = `SELECT DISTINCT value FROM launches, json_each(definition, '$.uncountedFiles')`
      this.given = { launches: String(launches), files: this.connection.prepare(sql).pluck().all() as string[] }
    }
    return this.given!.files
  }

  /** In the order of the datasets; empty if it was not recorded. */
  of(run: number): Fingerprint[] {
    const sql = 'SELECT run_id, fingerprint FROM run_data WHERE run_id = ? ORDER BY position'
    return (this.connection.prepare(sql).all(run) as DataRow[]).map(fingerprintOf)
  }

  /** The last fingerprint of a dataset, with its run; null if there is none. */
  last(dataset: string): { run: number; fingerprint: Fingerprint } | null {
    const sql = `SELECT run_id, fingerprint FROM run_data JOIN runs ON runs.id = run_id AND NOT deleted
      WHERE name = ? ORDER BY fingerprint ->> 'listing' IS NULL, run_id DESC LIMIT 1`
    const row = this.connection.prepare(sql).get(dataset) as DataRow | undefined
    return row ? { run: row.run_id, fingerprint: fingerprintOf(row) } : null
  }

  /** The ids of runs that have notes on their data. */
  noted(): number[] {
    const sql = "SELECT DISTINCT run_id FROM run_data WHERE fingerprint ->> 'notes' IS NOT NULL"
    return this.connection.prepare(sql).pluck().all() as number[]
  }

  /** Adds a note on a dataset of a run, unless it is there already. Call within a transaction. */
  note(run: number, dataset: string, text: string): void {
    const update = this.connection.prepare('UPDATE run_data SET fingerprint = ? WHERE run_id = ? AND name = ?')
    for (const fingerprint of this.of(run)) {
      const { name, notes = [] } = fingerprint
      if (name !== dataset || notes.includes(text)) continue
      update.run(JSON.stringify({ ...fingerprint, notes: [...notes, text] }), run, name)
    }
  }

  /**
   * Gives a dataset its new name in what runs have recorded, and returns the ids of these runs, deleted ones too. A run that has
   * read another dataset of the new name keeps both names. Call within a transaction.
   */
  rename(name: string, to: string): number[] {
    const names = "json_each(definition, '$.experiment.datasets')"
    const sql = `UPDATE launches SET definition = json_set(definition, '$.experiment.datasets',
        (SELECT json_group_array(iif(value = @name, @to, value)) FROM ${names}))
      WHERE EXISTS (SELECT 1 FROM ${names} WHERE value = @name) AND NOT EXISTS (SELECT 1 FROM ${names} WHERE value = @to)
      RETURNING run_id`
    const runs = this.connection.prepare(sql).pluck().all({ name, to }) as number[]
    const update = this.connection.prepare(
      `UPDATE run_data SET name = @to, fingerprint = json_set(fingerprint, '$.name', @to) WHERE run_id = @run AND name = @name`,
    )
    for (const run of runs) update.run({ name, to, run })
    return runs
  }

  put(run: number, data: readonly Fingerprint[]): void {
    const insert = this.connection.prepare('INSERT INTO run_data VALUES (?, ?, ?, ?)')
    for (const [position, fingerprint] of data.entries()) {
      insert.run(run, position, fingerprint.name, JSON.stringify(fingerprint))
    }
  }
}

function fingerprintOf({ fingerprint }: DataRow): Fingerprint {
  return storedJson(fingerprint, 'a fingerprint of data', 'mapping')
}
