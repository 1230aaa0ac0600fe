import { readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'

/** What Tab makes of a path that is being typed. */
export interface CompletedPath {
  /** The path as far as it is clear; a folder ends with a slash. */
  readonly path: string
  /** The names that are possible, if there are several. */
  readonly names: readonly string[]
}

/** Completes a path as a shell does. @param folder where relative paths start, absolute */
export function completePath(folder: string, typed: string): CompletedPath {
  const above = typed.slice(0, typed.lastIndexOf('/') + 1)
  const start = typed.slice(above.length)
  const place = resolve(folder, above.replace(/^~\//, `${homedir()}/`))
  const names = namesIn(place)
    // Hidden ones only if the dot is typed.
    .filter(name => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map(name => (isFolder(resolve(place, name)) ? `${name}/` : name))
  if (names.length === 0) return { path: typed, names: [] }
  return { path: above + commonStart(names), names: names.length > 1 ? names : [] }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** Links are followed, and may lead nowhere or in a circle. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
