import { dirname, join } from 'node:path'
import { fewOf } from '../../domain/text/names.js'
import { type GroupCommand, siteFolders } from './interpreter.js'
import { namesIn, textOf } from './python-packages.js'

/** Names and versions of packages as lock files have them. The first of these files that a folder has counts. */
const lockFiles: readonly (readonly [name: string, entry: RegExp])[] = [
  ...['poetry.lock', 'pdm.lock', 'uv.lock', 'pylock.toml'].map(
    name => [name, /^\[\[packages?\]\]\nname = "(.+)"\n(?:.+\n)*?version = "(.+)"$/gm] as const,
  ),
  ['Pipfile.lock', /^ {8}"(.+)": \{\n(?: {12}.+\n)*? {12}"version": "==(.+)"$/gm],
  ['pixi.lock', /^- conda: \S+\/([^/\s]+)-([^-/\s]+)-[^-/\s]+$/gm],
]

/**
 * Tells which packages an environment has in other versions than the lock file of a commit says. Those that it lacks, and
 * those that the file does not name, do not count: one may install a part, or more.
 * @param environment absolute
 * @param own names of packages of the repository, which come from the copy
 * @returns a sentence, or nothing
 */
export function lockSentences(
  command: Pick<GroupCommand, 'root' | 'copy' | 'variables'>,
  environment: string,
  own: readonly string[] = [],
): string[] {
  const lock = lockOf(command)
  if (lock === null) return []
  const installed = siteFolders(environment, command.variables).flatMap(namesIn)
  const others = installed.flatMap(folder => {
    const [, name, version] = /^(.+?)-(.+)\.dist-info$/.exec(folder) ?? []
    const versions = name === undefined ? undefined : lock.versions.get(named(name))
    if (!versions || own.some(each => named(each) === named(name!)) || versions.has(numbered(version!))) return []
    return `${name} ${version} instead of ${[...versions].join(' or ')}`
  })
  if (others.length === 0) return []
  return [`${lock.name} of this commit is not what ${environment} holds, which the groups use: ${fewOf(others)}`]
}

/** The lock file that is nearest to the project in its copy. */
function lockOf({
  root,
  copy,
}: Pick<GroupCommand, 'root' | 'copy'>): { name: string; versions: Map<string, Set<string>> } | null {
  for (let folder = root; ; folder = dirname(folder)) {
    for (const [name, entry] of lockFiles) {
      const versions = new Map<string, Set<string>>()
      for (const [, found, version] of textOf(join(folder, name)).matchAll(entry))
        versions.set(named(found!), (versions.get(named(found!)) ?? new Set()).add(numbered(version!)))
      if (versions.size > 0) return { name, versions }
    }
    if (folder === copy || folder === dirname(folder)) return null
  }
}

/** See https://packaging.python.org/en/latest/specifications/name-normalization/. */
function named(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

/** A version without what makes no difference: zeros before numbers, and large letters. */
function numbered(version: string): string {
  return version.toLowerCase().replace(/(?<!\d)0+(?=\d)/g, '')
}
