/**
 * What counts as code of an experiment. All paths and patterns are relative to the project; a path outside of it begins
 * with `../`. Patterns are those of .gitignore, without `!`: one with a slash before its end starts at the project, any
 * other fits at any depth; one that fits a folder fits all that is in it; one with a slash at its end fits only folders.
 */
export interface CodeDefinition {
  /** Patterns of what may matter besides {@link own}; without any, the whole repository may. */
  readonly uses: readonly string[]
  readonly ignores: readonly string[]
  /** The executable of the experiment, and the folder of its code. */
  readonly own: readonly string[]
  /** Files and folders that patterns of `ignores` spare: registered executables and datasets. */
  readonly registered: readonly string[]
  /** Files and folders that do not matter either: folders of documents, executables of actions, files that describe what is registered. */
  readonly others: readonly string[]
  /** Files and folders that are never code, whatever `uses` says: results, exports, files of parameters. */
  readonly never: readonly string[]
}

/** What does not matter if an experiment does not say it: texts for people. */
export const usualIgnores: readonly string[] = ['*.md', '*.rst', 'LICENSE*', 'CITATION*', '.gitignore', 'docs/**']

/** Whether a path counts. @param isSubmodule whether it is a folder of whose files nothing is known */
export type CountsAsCode = (path: string, isSubmodule?: boolean) => boolean

/**
 * Decides which paths of a repository count as code. If `uses` and a rule that leaves files out fit the same path, the
 * more precise one prevails: `uses: [prompts/*.md]` prevails over `ignores: ['*.md']`, and the path of a script over a
 * folder that contains it.
 */
export function codeCounter({ uses, ignores, own, registered, others, never }: CodeDefinition): CountsAsCode {
  const leftOut = [
    ...ignores.map(pattern => ({ fits: fitOf(pattern), spares: true })),
    ...others.map(path => ({ fits: pathFit(path), spares: false })),
  ]
  const user = (fits: Fit, name: string) => {
    const inside = [...segmentsOf(name), '**']
    return { fits, prevailsOver: leftOut.filter(each => each.fits(inside, 'file')) }
  }
  const users = [
    ...(uses.length === 0 ? [{ fits: () => true, prevailsOver: [] }] : []),
    ...uses.map(pattern => user(fitOf(pattern), pattern)),
    ...own.map(path => user(pathFit(path), path)),
  ]
  const spared = registered.map(pathFit)
  const excluded = never.map(pathFit)
  return (path, isSubmodule = false) => {
    const segments = segmentsOf(path)
    const isIn = (fits: Fit) => fits(segments, isSubmodule ? 'folder' : 'file')
    if (segments.includes('.qanat') || excluded.some(isIn)) return false
    const using = users.filter(({ fits }) => fits(segments, isSubmodule ? 'beginning' : 'file'))
    if (using.length === 0) return false
    const isSpared = spared.some(isIn)
    const against = leftOut.filter(({ fits, spares }) => !(spares && isSpared) && isIn(fits))
    return using.some(({ prevailsOver }) => against.every(each => prevailsOver.includes(each)))
  }
}

/** Whether a path fits one of some patterns, which are those of {@link CodeDefinition}. */
export function fitsAny(patterns: readonly string[]): (path: string) => boolean {
  const fits = patterns.map(fitOf)
  return path => fits.some(each => each(segmentsOf(path), 'file'))
}

/** What a path names. A `beginning` is a folder that fits if a path in it could fit. */
type Kind = 'file' | 'folder' | 'beginning'

/** Whether a path fits. */
type Fit = (path: readonly string[], kind: Kind) => boolean

/** A file, or a folder with all that is in it. */
function pathFit(place: string): Fit {
  const wanted = segmentsOf(place)
  return (path, kind) =>
    (path.length >= wanted.length || kind === 'beginning') &&
    path.every((each, at) => at >= wanted.length || each === wanted[at])
}

function fitOf(pattern: string): Fit {
  const isAnchored = pattern.replace(/\/$/, '').includes('/')
  const segments = [...(isAnchored ? [] : ['**']), ...segmentsOf(pattern)]
  // Repeated `**` would only take time.
  const parts = segments
    .filter((segment, at) => segment !== '**' || segments[at - 1] !== '**')
    .map(segment => (segment === '**' ? null : nameFit(segment)))
  const fits = (path: readonly string[], kind: Kind, from: number, at: number): boolean => {
    if (from === parts.length) return true
    if (at === path.length) return kind === 'beginning'
    const part = parts[from]!
    if (part !== null) return part(path[at]!) && fits(path, kind, from + 1, at + 1)
    if (from + 1 === parts.length) return true
    for (let next = at; next <= path.length; next++) if (fits(path, kind, from + 1, next)) return true
    return false
  }
  // A pattern of folders fits a file by the folder that it is in.
  const isOfFolders = pattern.endsWith('/')
  return (path, kind) => fits(isOfFolders && kind === 'file' ? path.slice(0, -1) : path, kind, 0, 0)
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/')
  return segments.some(isNothing) ? segments.filter(segment => !isNothing(segment)) : segments
}

function isNothing(segment: string): boolean {
  return segment === '' || segment === '.'
}

/** `*`, `?`, `[…]` and `\` of a pattern, within one name of a path. */
function nameFit(segment: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(segment)) return name => name === segment
  // The usual patterns need no expression, which takes longer.
  const [, start, end] = /^([^*?[\\]*)\*([^*?[\\]*)$/.exec(segment) ?? []
  if (start !== undefined && end !== undefined) {
    return name => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  }
  const one = /\*+|\?|\[([!^]?)([^\]]+)\]|\\?[\s\S]/gu
  const source = segment.replace(one, (found, negation: string, characters: string) => {
    if (found.startsWith('*')) return '.*'
    if (found === '?') return '.'
    if (characters === undefined) return found.replace(/^\\(?=.)/su, '').replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&')
    return `[${negation === '' ? '' : '^'}${characters.replace(/[\\^[\]]/gu, '\\$&')}]`
  })
  try {
    const expression = new RegExp(`^${source}$`, 'su')
    return name => expression.test(name)
  } catch {
    // A range from the end of the alphabet to its beginning fits nothing.
    return () => false
  }
}
