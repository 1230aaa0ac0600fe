import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The absolute paths of files in a folder that fit a pattern, in the order of their names, numbers by their values, and the
 * last one first. Without a `*` in the last part, the file need not exist.
 * @param parts of the pattern, which were between `/`; `*` stands for any text
 */
export function* fittingFiles(folder: string, [part = '', ...rest]: readonly string[]): Generator<string> {
  const isLast = rest.length === 0
  const names = part.includes('*') ? fittingNames(folder, part, isLast) : [part]
  for (const name of names) {
    const path = join(folder, name)
    if (isLast) yield path
    else yield* fittingFiles(path, rest)
  }
}

/** The names of files, or else of folders, in a folder. A link may be either. */
function fittingNames(folder: string, pattern: string, ofFiles: boolean): string[] {
  const fits = nameFit(pattern)
  const entries = entriesIn(folder).filter(entry => !(ofFiles ? entry.isDirectory() : entry.isFile()))
  const names = entries.map(({ name }) => name).filter(fits)
  return names.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
}

/** Whether a name is of a pattern in which `*` stands for any text. */
function nameFit(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map(part => part.replace(/[^\w]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`, 's')
  return name => expression.test(name)
}

/** What is in a folder; nothing if it cannot be read. */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
