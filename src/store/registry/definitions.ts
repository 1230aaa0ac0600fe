import type { Connection } from '../database.js'

const tables = { dataset: 'datasets', experiment: 'experiments', document: 'documents' } as const

type Kind = keyof typeof tables

/** The files from which things were registered, relative to the project. */
export class DefinitionTable {
  constructor(private readonly connection: Connection) {}

  /** @returns null if it was registered without a file, or from one outside the project */
  find(kind: Kind, name: string): string | null {
    const found = this.connection
      .prepare(`SELECT definition_file FROM ${tables[kind]} WHERE name = ?`)
      .pluck()
      .get(name)
    return (found as string | null | undefined) ?? null
  }

  /** The files of all things. */
  list(): string[] {
    const each = Object.values(tables).map(table => `SELECT definition_file FROM ${table}`)
    const sql = `SELECT definition_file FROM (${each.join(' UNION ')}) WHERE definition_file IS NOT NULL`
    return this.connection.prepare(sql).pluck().all() as string[]
  }

  set(kind: Kind, name: string, file: string): void {
    this.connection.prepare(`UPDATE ${tables[kind]} SET definition_file = ? WHERE name = ?`).run(file, name)
  }
}
