import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Kinds of definitions, in the order of registration: experiments refer to datasets, documents to experiments. */
export const definitionKinds = ['dataset', 'experiment', 'document'] as const
export type DefinitionKind = (typeof definitionKinds)[number]

/** Folder of the definitions of a kind, relative to the project. */
export function definitionFolder(kind: DefinitionKind): string {
  return `.qanat/definitions/${kind}`
}

/** The file of a definition, relative to the project. */
export function definitionFile(kind: DefinitionKind, name: string): string {
  return `${definitionFolder(kind)}/${name}.yaml`
}

/** Names of the definitions of a project, sorted. @param root absolute */
export function definedNames(root: string, kind: DefinitionKind): string[] {
  const folder = join(root, definitionFolder(kind))
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  return files.filter(file => file.endsWith('.yaml')).map(file => file.slice(0, -'.yaml'.length))
}
