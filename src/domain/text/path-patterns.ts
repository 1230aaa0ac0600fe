/**
 * A regular expression, without its ends, for the paths that fit a pattern, and for all that is below them. A pattern without a slash
 * fits a name in any folder, one with a slash the whole path. `*` and `?` stand for text and for a character without a slash, `**`
 * between slashes for any folders, or none. JavaScript and POSIX (extended) read it alike.
 */
export function pathExpression(pattern: string): string {
  const path = pattern.replace(/^\.?\/+/, '').replace(/\/+$/, '')
  const anywhere = path.includes('/') || pattern.startsWith('/') ? '' : '(.*/)?'
  const words = path
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part, at) => (at % 2 === 1 ? wild[part]! : literalExpression(part)))
  return `${anywhere}${words.join('')}(/.*)?`
}

const wild: Readonly<Record<string, string>> = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** A regular expression that fits only this text. */
export function literalExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Which paths are wanted: those that fit one of `include`, if it has any, and none of `exclude`. See {@link pathExpression}. */
export interface PathRules {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Whether rules want a path. */
export function wantedBy({ include, exclude }: PathRules): (path: string) => boolean {
  const [wanted, unwanted] = [include, exclude].map(patterns =>
    patterns.map(pattern => new RegExp(`^${pathExpression(pattern)}$`, 's')),
  )
  const fits = (all: readonly RegExp[], path: string) => all.some(each => each.test(path))
  return path => (wanted!.length === 0 || fits(wanted!, path)) && !fits(unwanted!, path)
}
