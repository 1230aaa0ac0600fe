import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openGit } from './git.js'
import type { TreeState } from './tree-state.js'

/**
 * The ignored paths of a tree that a frozen copy links to (`data/`, `.venv/`, the results): all but our own files and
 * `__pycache__`.
 * They are relative to the repository's root; of an ignored folder only the folder itself is listed.
 */
export async function ignoredPaths({ gitRoot, prefix }: TreeState): Promise<string[]> {
  const git = await openGit(gitRoot)
  const listed = await git.run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z')
  const own = join(prefix, '.qanat')
  const paths = new Set<string>()
  const take = (path: string) => {
    if (isWithin(path, own) || /(^|\/)__pycache__(\/|$)/.test(path)) return
    if (foldersOf(path).some(folder => paths.has(folder))) return
    if (!isWithin(own, path)) paths.add(path)
    else for (const name of readdirSync(join(gitRoot, path))) take(join(path, name))
  }
  for (const entry of listed.split('\0')) {
    const path = entry.replace(/\/$/, '')
    if (path !== '' && path !== '.') take(path)
  }
  return [...paths]
}

/** A path and the folders that it lies in. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/**
 * Makes `path` in a copy a link to `target`. A file that a script has made there is left alone, and nothing is made
 * behind the copy's own links.
 */
export function linkTo(target: string, copy: string, path: string): void {
  const place = join(copy, path)
  if (realPath(dirname(place)) !== join(realpathSync(copy), dirname(path))) return
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) return
  if (there && readlinkSync(place) === target) return
  if (there) rmSync(place)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place)
}

/** Names in the cache that are ours, whatever else is called so: copies, half-made or whole, and what goes with them. */
const ownNames = /^\.?[0-9a-f]{12}|^digests\.json$/

/**
 * Has `../NAME` lead from every copy to where it leads from the repository, by links beside the copies. The repository
 * itself is left out: its code is not what was recorded.
 * @param cacheFolder absolute folder of the copies
 */
export function linkNeighbours(gitRoot: string, cacheFolder: string): void {
  const parent = dirname(gitRoot)
  const names = new Set(namesIn(parent))
  names.delete(basename(gitRoot))
  const there = readdirSync(cacheFolder, { withFileTypes: true })
  const isOurs = (name: string) => readlinkSync(join(cacheFolder, name)) === join(parent, name)
  for (const entry of there) {
    if (!entry.isSymbolicLink() || (names.has(entry.name) && isOurs(entry.name))) names.delete(entry.name)
    // The neighbour is gone, or the project was moved.
    else if (readlinkSync(join(cacheFolder, entry.name)).endsWith(`/${entry.name}`))
      rmSync(join(cacheFolder, entry.name))
    else names.delete(entry.name)
  }
  for (const name of names) if (!ownNames.test(name)) symlinkSync(join(parent, name), join(cacheFolder, name))
}

/** Not every folder above a repository may be listed. */
function namesIn(folder: string): string[] {
  try {
    return folder === dirname(folder) ? [] : readdirSync(folder)
  } catch {
    return []
  }
}

/** The same path, with the links in as much of it as there is resolved; null for a link that leads nowhere. */
function realPath(path: string): string | null {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there) return there.isSymbolicLink() && !existsSync(path) ? null : realpathSync(path)
  const parent = realPath(dirname(path))
  return parent === null ? null : join(parent, basename(path))
}
