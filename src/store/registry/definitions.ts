import type { Connection } from '../database.js'
import { storedJson } from '../rows/stored-json.js'

/** Why a definition cannot be used now. */
export interface Problem {
  readonly message: string
  readonly hint: string | null
}

/** What the index knows of a definition besides what it says. */
export interface Entry {
  readonly name: string
  /** The file that says what it is, relative to the project. */
  readonly file: string
  /** By which it is noticed that a file has changed; empty for what is registered nowhere any more. */
  readonly stamp: string
  readonly problem: Problem | null
}

/** A row of any of the tables. What it says is JSON, null if it could never be read. */
export interface DefinitionRow {
  readonly id: number
  readonly name: string
  readonly definition: string | null
}

type EntryRow = Omit<Entry, 'problem'> & { readonly problem: string | null }

/**
 * The index of the definitions of a kind: what their files said when they were read. A definition that cannot be read any more
 * keeps what it said before.
 */
export class DefinitionTable<Thing extends { readonly name: string }> {
  constructor(
    protected readonly connection: Connection,
    protected readonly table: 'datasets' | 'experiments' | 'documents',
  ) {}

  /** Those that have been read, sorted, as all lists are. */
  names(): string[] {
    const sql = `SELECT name FROM ${this.table} WHERE definition IS NOT NULL ORDER BY name`
    return this.connection.prepare(sql).pluck().all() as string[]
  }

  find(name: string): Thing | null {
    const sql = `SELECT * FROM ${this.table} WHERE name = ? AND definition IS NOT NULL`
    const row = this.connection.prepare(sql).get(name) as DefinitionRow | undefined
    return row ? this.toThing(row) : null
  }

  /** Everything that is or was registered, also what could never be read. */
  entries(): Entry[] {
    const rows = this.connection.prepare(`SELECT name, file, stamp, problem FROM ${this.table} ORDER BY name`).all()
    return (rows as EntryRow[]).map(toEntry)
  }

  entry(name: string): Entry | null {
    const sql = `SELECT name, file, stamp, problem FROM ${this.table} WHERE name = ?`
    const row = this.connection.prepare(sql).get(name) as EntryRow | undefined
    return row ? toEntry(row) : null
  }

  /** Stores what was read. @param thing null if nothing could be: what was known stays */
  put({ name, file, stamp, problem }: Entry, thing: Thing | null): void {
    const sql = `INSERT INTO ${this.table} (name, definition, file, stamp, problem) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET definition = coalesce(excluded.definition, definition), file = excluded.file,
        stamp = excluded.stamp, problem = excluded.problem`
    const [definition, why] = [thing, problem].map(value => (value === null ? null : JSON.stringify(value)))
    this.connection.prepare(sql).run(name, definition, file, stamp, why)
  }

  /** Gives a thing another name. What that is known for already stays, and the former one goes. */
  rename(former: string, name: string): void {
    if (this.entry(name) !== null) this.delete(former)
    else this.connection.prepare(`UPDATE ${this.table} SET name = ? WHERE name = ?`).run(name, former)
  }

  delete(name: string): void {
    this.connection.prepare(`DELETE FROM ${this.table} WHERE name = ?`).run(name)
  }

  /** Lets every file be read again. */
  forgetStamps(): void {
    this.connection.prepare(`UPDATE ${this.table} SET stamp = 'forgotten' WHERE stamp != ''`).run()
  }

  protected rows<Row extends DefinitionRow>(): Row[] {
    const sql = `SELECT * FROM ${this.table} WHERE definition IS NOT NULL ORDER BY name`
    return this.connection.prepare(sql).all() as Row[]
  }

  protected toThing({ definition }: DefinitionRow): Thing {
    return storedJson<Thing>(definition ?? undefined, 'a definition', 'mapping')
  }
}

function toEntry({ problem, ...entry }: EntryRow): Entry {
  return { ...entry, problem: problem === null ? null : storedJson<Problem>(problem, 'a problem', 'mapping') }
}
