import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QanatError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'

/** Folder of the schemas with which editors complete and check the YAML files of a project, relative to its root. */
const folder = '.qanat/schemas'

/** The schemas of this version of the program; build.js puts them beside it. */
const shipped = join(import.meta.dirname, 'schemas')

/** The first line of a YAML file, from which editors find its schema. @param schemas their folder, relative to the file */
export function schemaReference(schemas: string, name: string): string {
  return `# yaml-language-server: $schema=${schemas}/${name}.json\n`
}

/**
 * Writes the schemas for editors that a project lacks or has from another version of the program. Git ignores them: each clone
 * has its own. Where they cannot be written, editors do without.
 * @param root absolute
 */
export function renewSchemas(root: string): void {
  try {
    for (const { path, text } of outdatedSchemas(root)) atomicWrite(join(root, path), text)
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
  }
}

function outdatedSchemas(root: string): { readonly path: string; readonly text: string }[] {
  // Run from its sources, the program has none.
  const names = existsSync(shipped) ? readdirSync(shipped) : []
  const current = names
    .sort()
    .map(name => ({ path: `${folder}/${name}`, text: readFileSync(join(shipped, name), 'utf8') }))
  return current.filter(({ path, text }) => textOf(join(root, path)) !== text)
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
