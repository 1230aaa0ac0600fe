import type { Document, StoredDocument } from '../../domain/documents/document.js'
import { type DefinitionRow, DefinitionTable } from './definitions.js'

/** Documents by name. */
export class DocumentTable extends DefinitionTable<Document> {
  list(): StoredDocument[] {
    return this.rows().map(row => this.toThing(row))
  }

  override find(name: string): StoredDocument | null {
    return super.find(name) as StoredDocument | null
  }

  /** @param compiled milliseconds since the epoch; null for not compiled */
  setCompiled(name: string, compiled: number | null): void {
    this.connection.prepare('UPDATE documents SET compiled = ? WHERE name = ?').run(compiled, name)
  }

  protected override toThing(row: DefinitionRow & { readonly compiled?: number | null }): StoredDocument {
    return { ...super.toThing(row), id: row.id, compiled: row.compiled ?? null }
  }
}
