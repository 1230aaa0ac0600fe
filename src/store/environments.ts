import { type Environment, readEnvironment } from '../domain/environments/environment.js'
import { Table } from './rows/table.js'

/** The environment that the groups of an attempt had on a host. */
export interface RunEnvironment {
  readonly attempt: number
  readonly host: string
  /** SHA-256 of the normalised text, in hexadecimal digits. */
  readonly hash: string
}

/** In which environments runs have run. Environments are stored by their hash: those of most runs are the same. */
export class EnvironmentTable extends Table {
  /** Of a run, in the order of attempts and hosts. */
  of(run: number): RunEnvironment[] {
    return this.rows('SELECT attempt, host, hash FROM run_environments WHERE run_id = ? ORDER BY attempt, host', run)
  }

  /** Whether the environment of the last attempt of a run is known from at least one host. */
  isKnown(run: number): boolean {
    const sql = `SELECT 1 FROM run_environments
      WHERE run_id = @run AND attempt = (SELECT max(attempt) FROM attempts WHERE run_id = @run) LIMIT 1`
    return this.value(sql, { run }) !== undefined
  }

  get(hash: string): Environment {
    return readEnvironment(this.value('SELECT record FROM environments WHERE hash = ?', hash)!)
  }

  /** @param text normalised, of that hash */
  put(run: number, { attempt, host, hash }: RunEnvironment, text: string): void {
    this.change('INSERT OR IGNORE INTO environments VALUES (?, ?)', hash, text)
    this.change('INSERT OR IGNORE INTO run_environments VALUES (?, ?, ?, ?)', run, attempt, host, hash)
  }
}
