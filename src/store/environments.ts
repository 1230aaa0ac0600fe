import { type Environment, readEnvironment } from '../domain/environments/environment.js'
import type { Connection } from './database.js'

/** The environment that the groups of an attempt had on a host. */
export interface RunEnvironment {
  readonly attempt: number
  readonly host: string
  /** SHA-256 of the normalised text, in hexadecimal digits. */
  readonly hash: string
}

/** In which environments runs have run. Environments are stored by their hash: those of most runs are the same. */
export class EnvironmentTable {
  constructor(private readonly connection: Connection) {}

  /** Of a run, in the order of attempts and hosts. */
  of(run: number): RunEnvironment[] {
    const sql = 'SELECT attempt, host, hash FROM run_environments WHERE run_id = ? ORDER BY attempt, host'
    return this.connection.prepare(sql).all(run) as RunEnvironment[]
  }

  /** Whether the environment of the last attempt of a run is known from at least one host. */
  isKnown(run: number): boolean {
    const sql = `SELECT 1 FROM run_environments
      WHERE run_id = @run AND attempt = (SELECT max(attempt) FROM attempts WHERE run_id = @run) LIMIT 1`
    return this.connection.prepare(sql).get({ run }) !== undefined
  }

  get(hash: string): Environment {
    const text = this.connection.prepare('SELECT record FROM environments WHERE hash = ?').pluck().get(hash)
    return readEnvironment(text as string)
  }

  /** @param text normalised, of that hash */
  put(run: number, { attempt, host, hash }: RunEnvironment, text: string): void {
    this.connection.prepare('INSERT OR IGNORE INTO environments VALUES (?, ?)').run(hash, text)
    this.connection.prepare('INSERT OR IGNORE INTO run_environments VALUES (?, ?, ?, ?)').run(run, attempt, host, hash)
  }
}
