import { accessSync, constants, type Dirent, readdirSync } from 'node:fs'
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

/**
 * A prefix in which `*` and `**` are what they stand for in a path that fits a pattern: `test.` for `*.` if `test_error.tsv` fits
 * `*_error.tsv`. Folders are joined by dots, and a dot behind nothing is left out.
 */
export function filledPrefix(prefix: string, pattern: string, path: string): string {
  const stars = pattern.match(star) ?? []
  const parts = pattern.split(star).map(part => part.replace(/[^\w]/g, '\\$&'))
  const groups = stars.map(each => (each === '*' ? '([^/]*)' : '(?:(.*)/)?'))
  const expression = new RegExp(`^${parts.map((part, at) => part + (groups[at] ?? '')).join('')}$`, 's')
  const found = (expression.exec(path) ?? []).slice(1)
  const left = stars.map((each, at) => ({ star: each.replace('/', ''), text: found[at]?.replaceAll('/', '.') ?? '' }))
  return prefix.replace(/(\*\*?)(\.?)/g, (_, wanted: string, dot: string) => {
    const at = left.findIndex(each => each.star === wanted)
    const [{ text } = { text: '' }] = at < 0 ? [] : left.splice(at, 1)
    return text === '' ? '' : text + dot
  })
}

const star = /\*\*\/|\*/g

function fittingNames(folder: string, pattern: string, isWanted: (entry: Dirent) => boolean): string[] {
  const parts = pattern.split('*').map(part => part.replace(/[^\w]/g, '\\$&'))
  const expression = new RegExp(`^${pattern.startsWith('*') ? '(?!\\.)' : ''}${parts.join('.*')}$`, 's')
  const names = openEntries(folder).flatMap(entry => (expression.test(entry.name) && isWanted(entry) ? entry.name : []))
  return names.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
}

/** What is in a folder; nothing if it is private: that must not hide what is in others. */
function openEntries(folder: string): Dirent[] {
  try {
    return entriesIn(folder) ?? []
  } catch (error) {
    if (isForbidden(error)) return []
    throw error
  }
}

/** What is in a folder; null if there is no folder. @throws Error of the system if it cannot be read now */
export function entriesIn(folder: string): Dirent[] | null {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    // Without this permission, names can be listed, but no file can be opened.
    accessSync(folder, constants.X_OK)
    return entries
  } catch (error) {
    if (isNothingThere(error)) return null
    throw error
  }
}

/** Whether an error of the system says that nothing is there, also where a file or a link to itself is in the place of a folder. */
export function isNothingThere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))
}

/** Whether an error of the system says that permission is denied. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
