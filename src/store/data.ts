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

  /** What the last run of the same experiment before a run has recorded, if it was not deleted; null without one. */
  before(run: number): { readonly run: number; readonly data: readonly Fingerprint[] } | null {
    const sql = `SELECT id FROM runs WHERE experiment_id = (SELECT experiment_id FROM runs WHERE id = ?)
      AND id < ? AND NOT deleted ORDER BY id DESC LIMIT 1`
    const before = this.connection.prepare(sql).pluck().get(run, run) as number | undefined
    return before === undefined ? null : { run: before, data: this.of(before) }
  }

  /** The ids of runs that have recorded data, the newest first. */
  readers(): number[] {
    const sql =
      'SELECT DISTINCT run_id FROM run_data JOIN runs ON runs.id = run_id AND NOT deleted ORDER BY run_id DESC'
    return this.connection.prepare(sql).pluck().all() as number[]
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
