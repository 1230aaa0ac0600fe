import type { Dependency, Document, StoredDocument } from '../../domain/document.js'
import type { Connection } from '../database.js'
import { storedJson } from '../rows/stored-json.js'

interface DocumentRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly path: string
  readonly compile_script: string
  readonly compile_script_command: string
  readonly view_script: string
  readonly view_script_command: string
  readonly tags: string
  readonly compiled: number | null
}

/** Documents by name. Names are unique; the experiments that they depend on must exist. */
export class DocumentTable {
  constructor(private readonly connection: Connection) {}

  names(): string[] {
    return this.connection.prepare('SELECT name FROM documents ORDER BY name').pluck().all() as string[]
  }

  list(): StoredDocument[] {
    const rows = this.connection.prepare('SELECT * FROM documents ORDER BY name').all() as DocumentRow[]
    return rows.map(row => this.toDocument(row))
  }

  find(name: string): StoredDocument | null {
    const row = this.connection.prepare('SELECT * FROM documents WHERE name = ?').get(name) as DocumentRow | undefined
    return row ? this.toDocument(row) : null
  }

  insert(document: Document): void {
    const sql = `INSERT INTO documents (name, description, path, compile_script, compile_script_command, view_script,
      view_script_command, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
    const { lastInsertRowid } = this.connection.prepare(sql).run(...toValues(document))
    this.setDependencies(Number(lastInsertRowid), document.dependencies)
  }

  /** Replaces the document of that name; the new name may differ. */
  update(name: string, document: Document): void {
    const id = this.connection.prepare('SELECT id FROM documents WHERE name = ?').pluck().get(name) as number
    const sql = `UPDATE documents SET name = ?, description = ?, path = ?, compile_script = ?,
      compile_script_command = ?, view_script = ?, view_script_command = ?, tags = ? WHERE id = ?`
    this.connection.prepare(sql).run(...toValues(document), id)
    this.connection.prepare('DELETE FROM document_dependencies WHERE document_id = ?').run(id)
    this.setDependencies(id, document.dependencies)
  }

  /** @param compiled milliseconds since the epoch; null for not compiled */
  setCompiled(name: string, compiled: number | null): void {
    this.connection.prepare('UPDATE documents SET compiled = ? WHERE name = ?').run(compiled, name)
  }

  delete(name: string): void {
    this.connection.prepare('DELETE FROM documents WHERE name = ?').run(name)
  }

  /** Names of the documents that depend on an experiment. */
  users(experiment: string): string[] {
    const sql = `SELECT DISTINCT documents.name FROM documents
      JOIN document_dependencies ON document_id = documents.id
      JOIN experiments ON experiments.id = experiment_id WHERE experiments.name = ? ORDER BY documents.name`
    return this.connection.prepare(sql).pluck().all(experiment) as string[]
  }

  private setDependencies(id: number, dependencies: readonly Dependency[]): void {
    const sql = `INSERT INTO document_dependencies (document_id, position, experiment_id, definition)
      SELECT ?, ?, id, ? FROM experiments WHERE name = ?`
    const insert = this.connection.prepare(sql)
    for (const [position, { experiment, ...definition }] of dependencies.entries()) {
      insert.run(id, position, JSON.stringify(definition), experiment)
    }
  }

  private toDocument(row: DocumentRow): StoredDocument {
    const sql = `SELECT experiments.name, definition FROM document_dependencies
      JOIN experiments ON experiments.id = experiment_id WHERE document_id = ? ORDER BY position`
    const dependencies = this.connection.prepare(sql).all(row.id) as { name: string; definition: string }[]
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      path: row.path,
      compileScript: row.compile_script,
      compileScriptCommand: row.compile_script_command,
      viewScript: row.view_script,
      viewScriptCommand: row.view_script_command,
      tags: storedJson(row.tags, 'tags', 'texts'),
      dependencies: dependencies.map(({ name, definition }) => ({
        experiment: name,
        ...storedJson<Omit<Dependency, 'experiment'>>(definition, 'dependencies of a document', 'mapping'),
      })),
      compiled: row.compiled,
    }
  }
}

function toValues(document: Document): string[] {
  const { name, description, path, compileScript, compileScriptCommand, viewScript, viewScriptCommand, tags } = document
  const scripts = [compileScript, compileScriptCommand, viewScript, viewScriptCommand]
  return [name, description, path, ...scripts, JSON.stringify(tags)]
}
