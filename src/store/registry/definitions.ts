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

  set(kind: Kind, name: string, file: string): void {
    this.connection.prepare(`UPDATE ${tables[kind]} SET definition_file = ? WHERE name = ?`).run(file, name)
  }
}
