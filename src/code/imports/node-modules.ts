import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { realPath } from '../../system/files.js'
import { importsFolder } from './imports-folder.js'
import type { GroupCommand } from './interpreter.js'
import { type Entries, entriesOf, writeEntries } from './link-folders.js'
import { pathInside } from './python-packages.js'

/**
 * Makes folders that stand for the `node_modules` of the tree: links to its packages, but for those of the repository, as
 * workspaces of npm, pnpm and Yarn have them, which are links into the copy. What a group installs or removes is then not
 * installed into the tree, nor removed there; `npm ci` would empty the folder to which a link leads.
 * @param repository root, absolute and without links
 * @param copy root of the frozen copy, absolute
 * @param links ignored paths that the copy links to, relative to the root of the repository
 * @returns the folders, absolute, by the path of the `node_modules` in the repository
 */
export function provideNodeModules(repository: string, copy: string, links: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const folder = join(importsFolder(copy), 'node')
  for (const path of links.filter(link => basename(link) === 'node_modules')) {
    writeEntries(join(folder, path), entriesFor(repository, copy, join(repository, path)))
    found.set(path, join(folder, path))
  }
  return found
}

/** What stands for a folder of packages or programs. */
function entriesFor(repository: string, copy: string, folder: string): Entries {
  return new Map(
    entriesOf(folder).map(entry => {
      const path = join(folder, entry.name)
      const hasMore = entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')
      const source = entry.isSymbolicLink() ? sourceOf(repository, path) : null
      return [entry.name, hasMore ? entriesFor(repository, copy, path) : source === null ? path : join(copy, source)]
    }),
  )
}

/** The path in the repository of a package, or of a file of one, to which a link leads; null for those of others. */
function sourceOf(repository: string, link: string): string | null {
  const source = pathInside(repository, realPath(link))
  return source?.split('/').includes('node_modules') ? null : source
}

/** Sentences about packages of the repository that were installed as copies, for the programs of Node.js. */
export function copiedPackages({ repository, copy, words, script }: GroupCommand, links: readonly string[]) {
  if (!/\.[cm]?[jt]sx?$/.test(script) && !words.some(word => programs.has(basename(word)))) return []
  const sentences = links
    .filter(link => basename(link) === '.pnp.cjs')
    .map(link => `imports live code: ${link}, which git ignores, leads to packages of the project's tree`)
  for (const path of links.filter(link => basename(link) === 'node_modules')) {
    for (const [name, source] of localDependencies(join(copy, dirname(path), 'package.json'))) {
      const place = join(path, name)
      if (lstatSync(join(repository, place), { throwIfNoEntry: false })?.isDirectory())
        sentences.push(`imports live code: ${place} is a copy of ${source} that was installed earlier`)
    }
  }
  return sentences
}

/** Programs that run scripts for Node.js and the like. */
const programs = new Set(['node', 'npm', 'npx', 'pnpm', 'yarn', 'bun', 'tsx', 'ts-node'])

/** The dependencies of a package that are folders, with their paths as it names them. */
function localDependencies(file: string): [name: string, source: string][] {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'))
    const all = Object.entries<unknown>({ ...devDependencies, ...dependencies })
    return all.flatMap(([name, value]) => {
      const [, source] = /^file:(.+)$/.exec(String(value)) ?? []
      return source === undefined || source.endsWith('.tgz') ? [] : [[name, source] as [string, string]]
    })
  } catch {
    return []
  }
}
