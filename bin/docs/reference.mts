import { readdirSync, readFileSync } from 'node:fs'
import { commandPages } from './command-pages.mjs'
import { commandReference } from './commands.mjs'
import { fileReference } from './files.mjs'

/** The pages of docs/reference that are made from the program, by their paths there. The program has to be built. */
export async function reference(): Promise<Record<string, string>> {
  const folder = 'dist/schemas'
  const schemas = readdirSync(folder).map(name => [
    name.replace('.json', ''),
    JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')),
  ])
  return {
    ...commandReference(await commandPages()),
    ...fileReference(Object.fromEntries(schemas)),
  }
}
