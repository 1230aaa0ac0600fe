import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openGit } from './git.js'
import type { TreeState } from './tree-state.js'

/**
 * The ignored paths of a tree that a frozen copy links to (`data/`, `.venv/`): all but our own files and `__pycache__`.
 * They are relative to the repository's root; of an ignored folder only the folder itself is listed.
 */
export async function ignoredPaths({ gitRoot, prefix }: TreeState, resultDir: string): Promise<string[]> {
  const git = await openGit(gitRoot)
  const listed = await git.run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z')
  const own = [join(prefix, '.qanat'), join(prefix, resultDir)]
  const paths = new Set<string>()
  const take = (path: string) => {
    if (own.some(ours => isWithin(path, ours)) || /(^|\/)__pycache__(\/|$)/.test(path)) return
    if (foldersOf(path).some(folder => paths.has(folder))) return
    if (!own.some(ours => isWithin(ours, path))) paths.add(path)
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

/** The same path, with the links in as much of it as there is resolved; null for a link that leads nowhere. */
function realPath(path: string): string | null {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there) return there.isSymbolicLink() && !existsSync(path) ? null : realpathSync(path)
  const parent = realPath(dirname(path))
  return parent === null ? null : join(parent, basename(path))
}
