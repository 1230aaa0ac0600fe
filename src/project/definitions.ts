import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { NAME } from '../domain/text/names.js'

// Lists look here at each start, so that this reads no YAML.

/** Kinds of definitions, in the order of registration: experiments refer to datasets, documents to experiments. */
export const definitionKinds = ['dataset', 'experiment', 'document'] as const
export type DefinitionKind = (typeof definitionKinds)[number]

/** Folder of the definitions of a kind, relative to the project. */
function definitionFolder(kind: DefinitionKind): string {
  return `.qanat/definitions/${kind}`
}

/** The file that registers a thing: its definition, or the name of the file that is. Relative to the project. */
export function definitionFile(kind: DefinitionKind, name: string): string {
  return `${definitionFolder(kind)}/${name}.yaml`
}

/** Names of what is registered in a project, sorted. @param root absolute */
export function definedNames(root: string, kind: DefinitionKind): string[] {
  const folder = join(root, definitionFolder(kind))
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  // Editors put files of their own beside those that they change.
  return files.flatMap(file => (file.endsWith('.yaml') && NAME.test(file.slice(0, -5)) ? file.slice(0, -5) : []))
}

/**
 * By which it is noticed that what a file says has changed: size, times and inode.
 * @param files that registers a thing and that defines it, which may be the same; absolute
 */
export function stampOf(files: readonly string[]): string {
  return files.map(file => Object.values(lookAt(file) ?? {}).join(' ')).join(', ')
}

/** The same to be kept. A file that has just been written may change again within the same tick of the file system's clock. */
export function stampToKeep(files: readonly string[]): string {
  const newest = Math.max(...files.map(file => lookAt(file)?.changed ?? 0))
  return `${stampOf(files)}${Math.abs(Date.now() - newest) < longestTick ? ' (to be read again)' : ''}`
}

/** In milliseconds: ten ticks of Linux. */
const longestTick = 100

function lookAt(file: string): { size: number; modified: number; changed: number; inode: number } | null {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file)
    return { size, modified: mtimeMs, changed: ctimeMs, inode: ino }
  } catch {
    // It is gone, or cannot be reached: its reader says why.
    return null
  }
}
