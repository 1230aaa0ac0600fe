import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The absolute paths of files in a folder that fit a pattern, in the order of their names, numbers by their values, and the
 * last one first. Without a `*` in its last part, the file need not exist. With several `**`, a path may be there twice.
 * @param parts of the pattern, which were between `/`. `*` stands for any text, but as in a shell for none that begins with
 *   a dot, and `**` alone for any folders, or none, except for links to folders.
 */
export function* fittingFiles(folder: string, [part = '', ...rest]: readonly string[]): Generator<string> {
  if (part === '**') {
    const folders = fittingNames(folder, '*', entry => entry.isDirectory())
    for (const name of folders) yield* fittingFiles(join(folder, name), [part, ...rest])
    return yield* fittingFiles(folder, rest)
  }
  const isLast = rest.length === 0
  // A link may lead to a file or to a folder.
  const mayBe = (entry: Dirent) => !(isLast ? entry.isDirectory() : entry.isFile())
  const names = part.includes('*') ? fittingNames(folder, part, mayBe) : [part]
  for (const name of names) {
    if (isLast) yield join(folder, name)
    else yield* fittingFiles(join(folder, name), rest)
  }
}

function fittingNames(folder: string, pattern: string, isWanted: (entry: Dirent) => boolean): string[] {
  const parts = pattern.split('*').map(part => part.replace(/[^\w]/g, '\\$&'))
  const expression = new RegExp(`^${pattern.startsWith('*') ? '(?!\\.)' : ''}${parts.join('.*')}$`, 's')
  const names = entriesIn(folder).flatMap(entry => (expression.test(entry.name) && isWanted(entry) ? entry.name : []))
  return names.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
}

/** What is in a folder; nothing if it cannot be read. */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
